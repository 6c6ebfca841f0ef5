import 'reflect-metadata';
import { ENTITIES } from './src/app/entities';
import { processEnvironment } from './src/config/env-file';
import { readConfig } from './src/config/environment';
import { withoutGeneration } from './src/config/missing-keys';
import { createDataSource, dataSourceOptions } from './src/database/data-source';
import { MIGRATION_STATEMENT_TIMEOUT_MS } from './src/database/migrate';

/** The data source of the migration commands, configured by the same variables as the service. */
export default createDataSource(
  dataSourceOptions(readConfig(withoutGeneration(processEnvironment())).database, ENTITIES),
  MIGRATION_STATEMENT_TIMEOUT_MS,
);
