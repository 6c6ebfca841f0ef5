import { existsSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { SEALED_COLUMNS } from './app.sealed-columns';
import { ServiceLogger } from './common/logging/service-logger';
import { SecretCipher } from './common/secrets/secret-cipher';
import { type DatabaseSettings, secretsOf } from './config/app-config';
import { ConfigurationError } from './config/configuration-error';
import { processEnvironment, readConfig } from './config/environment';
import { keepInspectorClosed } from './inspector';
import { createDataSource, dataSourceOptions } from './database/data-source';
import { UnitOfWork } from './database/unit-of-work';
import { StorageRotation } from './stored-secrets/storage-rotation';

/** Encrypts the stored secrets with the first key of `STORAGE_ENCRYPTION_KEY`; the exit code is 1 where any is left. */
async function main(): Promise<boolean> {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => {
      stop.abort();
    });
  const environment = processEnvironment();
  keepInspectorClosed(environment);
  const config = readConfig(environment);
  Logger.overrideLogger(new ServiceLogger(config.log, secretsOf(config)));
  requireDatabase(config.database);
  // No entities and no migrations: it touches the sealed columns and nothing else.
  const dataSource = await createDataSource(dataSourceOptions(config.database, [])).initialize();
  try {
    const cipher = new SecretCipher(config.storageKeys, SEALED_COLUMNS);
    return await new StorageRotation(new UnitOfWork(dataSource), cipher, {
      say: (line) => process.stdout.write(`${line}\n`),
      complain: (line) => process.stderr.write(`${line}\n`),
    }).run(stop.signal);
  } finally {
    await dataSource.destroy();
  }
}

/** SQLite would make a new database where there is none. */
function requireDatabase(settings: DatabaseSettings): void {
  if (settings.type === 'sqlite' && !existsSync(settings.file))
    throw new ConfigurationError([`DATABASE_URL names the file ${settings.file}, which is not there`]);
}

main()
  .then((complete) => {
    process.exitCode = complete ? 0 : 1;
  })
  .catch((error: unknown) => {
    process.exitCode = 1;
    if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
    else
      new Logger('Rotation').fatal('The rotation failed. Run it again to go on', {
        cause: error instanceof Error ? error.stack : error,
      });
  });
