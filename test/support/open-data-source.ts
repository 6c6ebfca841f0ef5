import type { DataSource } from 'typeorm';
import { ENTITIES } from '../../src/app/entities';
import { parseDatabaseUrl } from '../../src/config/database-url';
import { createDataSource, dataSourceOptions } from '../../src/database/data-source';
import type { TestDatabase } from './databases';

/** Connects to a database that has the schema of the service, without an application. */
export const openDataSource = ({ url }: TestDatabase): Promise<DataSource> =>
  createDataSource(dataSourceOptions(parseDatabaseUrl(url), ENTITIES)).initialize();
