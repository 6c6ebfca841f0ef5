import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { ENTITIES } from '../app/entities';
import { keepInspectorClosed } from '../app/inspector';
import { ServiceLogger } from '../common/logging/service-logger';
import { secretsOf } from '../config/app-config';
import { processEnvironment } from '../config/env-file';
import { readConfig } from '../config/environment';
import { createDataSource, dataSourceOptions } from '../database/data-source';
import { migrate } from '../database/migrate';
import { retryLikeStart } from '../database/start-retries';
import { consoleOutput, runCommand } from './run-command';

/**
 * Migrates the configured database as a start would, and exits. For a deployment step before the new version starts.
 */
runCommand('Migration', async () => {
  const environment = processEnvironment();
  keepInspectorClosed(environment);
  const config = readConfig(environment);
  Logger.overrideLogger(new ServiceLogger(config.log, secretsOf(config)));
  const options = dataSourceOptions(config.database, ENTITIES);
  const dataSource = await retryLikeStart(() => createDataSource(options).initialize());
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
  consoleOutput.print('The schema is that of this version');
  return true;
});
