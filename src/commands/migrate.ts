import 'reflect-metadata';
import { ENTITIES } from '../app/entities';
import { connect } from '../database/connect';
import { dataSourceOptions } from '../database/data-source';
import { migrate } from '../database/migrate';
import { retryLikeStart } from '../database/start-retries';
import { commandConfig } from './command-config';
import { consoleOutput, runCommand } from './run-command';

/**
 * Migrates the configured database as a start would, and exits. For a deployment step before the new version starts.
 */
runCommand('Migration', async () => {
  const options = dataSourceOptions(commandConfig().database, ENTITIES);
  const dataSource = await retryLikeStart(() => connect(options));
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
  consoleOutput.print('The schema is that of this version');
  return true;
});
