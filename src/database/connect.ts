import type { DataSource, DataSourceOptions } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { createDataSource } from './data-source';
import { isRetryable } from './drivers/driver-errors';

/** Opens the database, once. @throws ConfigurationError if the file of SQLite cannot be opened */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await createDataSource(options).initialize();
  } catch (error) {
    if (options.type !== 'better-sqlite3' || isRetryable(error)) throw error;
    throw new ConfigurationError([`DATABASE_URL: ${options.database} cannot be opened: ${causeOf(error)}`]);
  }
}
