import { existsSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { readAddedModules } from '../app/added-modules';
import { ENTITIES } from '../app/entities';
import { PROTECTED_TABLES } from '../app/protected-tables';
import { SEALED_COLUMNS } from '../app/sealed-columns';
import type { RelayerServiceOptions } from '../app/create-relayer-service';
import { RowMacs } from '../secrets/row-macs';
import { SecretCipher } from '../secrets/secret-cipher';
import type { DatabaseSettings } from '../config/app-config';
import { ConfigurationError } from '../config/configuration-error';
import { processEnvironment } from '../config/env-file';
import { missingKeyFile } from '../config/missing-keys';
import { connect } from '../database/connect';
import { dataSourceOptions } from '../database/data-source';
import { UnitOfWork } from '../database/unit-of-work';
import { refuseNewerSchema, SERVICE_MIGRATIONS } from '../database/unknown-migrations';
import { withSession } from '../database/with-session';
import { StoredRecords } from '../stored-secrets/stored-records';
import { tablesOfUnloadedPlugins } from '../plugins/unloaded-plugins';
import { commandConfig } from './command-config';
import { consoleOutput } from './run-command';
import { onDatabase } from '../database/unusable-database';

/** Providers for commands that work on stored records. */
export interface Storage {
  dataSource: DataSource;
  unitOfWork: UnitOfWork;
  records: StoredRecords;
  cipher: SecretCipher;
  macs: RowMacs;
  /** The names of the loaded plugins. */
  plugins: readonly string[];
}

/**
 * Opens the configured database, including the tables of plugins, runs `work` on it and closes it. It does not migrate
 * the database.
 *
 * @throws ConfigurationError also if the database cannot be used, or a newer version has migrated it
 */
export async function withStorage<T>(
  work: (storage: Storage) => Promise<T>,
  { config: given, modules = [] }: RelayerServiceOptions = {},
): Promise<T> {
  const config = commandConfig(given);
  assertDatabaseExists(config.database);
  if (!given) assertStorageKeyExists();
  const plugins = readAddedModules(modules);
  const entities = [...ENTITIES, ...plugins.entities];
  return onDatabase(config.database, async () => {
    const dataSource = await connect(dataSourceOptions(config.database, entities));
    try {
      await refuseNewerSchema(dataSource, SERVICE_MIGRATIONS);
      const unitOfWork = new UnitOfWork(dataSource);
      const cipher = new SecretCipher(config.storageKeys, [...SEALED_COLUMNS, ...plugins.sealedColumns]);
      const macs = new RowMacs(config.storageKeys, PROTECTED_TABLES);
      const records = new StoredRecords(unitOfWork, cipher, macs);
      return await work({ dataSource, unitOfWork, cipher, macs, records, plugins: plugins.names });
    } finally {
      await dataSource.destroy();
    }
  });
}

/** @throws ConfigurationError if a version without MACs has written the database */
export const assertMacs = ({ dataSource, records }: Storage): Promise<void> =>
  withSession(dataSource, async (session) => {
    for (const { name } of records.tables)
      if (!(await session.hasColumn(name, 'mac')))
        throw new ConfigurationError([
          'The database is of a version without MACs on its rows: run npm run storage:reseal -- --all once',
        ]);
  });

/**
 * Says on stderr which plugins are not loaded although the database was used with them: their secrets were not
 * found. @returns whether there are any
 */
export async function reportUnloadedPlugins({ unitOfWork, plugins }: Storage): Promise<boolean> {
  const tables = await tablesOfUnloadedPlugins(unitOfWork, plugins);
  if (tables.length === 0) return false;
  consoleOutput.printToStderr(
    `Secrets of plugins that are not loaded were left out (${tables.join(', ')}) and may need an older key: run rotateStorageKeys() with the plugins (docs/operations/keys-and-backups.md)`,
  );
  return true;
}

/** Checked because a command must not create the key, and the database was written with another one. */
function assertStorageKeyExists(): void {
  const file = missingKeyFile('STORAGE_ENCRYPTION_KEY', processEnvironment());
  if (file !== undefined)
    throw new ConfigurationError([`STORAGE_ENCRYPTION_KEY is not set, and the file ${file} is not there`]);
}

/** Checked because SQLite would create a missing database. */
function assertDatabaseExists(settings: DatabaseSettings): void {
  if (settings.type === 'sqlite' && !existsSync(settings.file))
    throw new ConfigurationError([
      `DATABASE_URL names the file ${settings.file}, which is not there: in a new installation, npm run migrate or a start creates it`,
    ]);
}
