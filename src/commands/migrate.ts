import 'reflect-metadata';
import { ENTITIES } from '../app/entities';
import { connect } from '../database/connect';
import { dataSourceOptions } from '../database/data-source';
import { migrate } from '../database/migrate';
import { retryLikeStart } from '../database/start-retries';
import { commandConfig } from './command-config';
import { noArguments } from './arguments';
import { consoleOutput, runCommand } from './run-command';
import { onDatabase } from '../database/unusable-database';

const USAGE = 'Usage: npm run migrate';

/**
 * Migrates the configured database as a start would, and exits. For a deployment step before the new version starts.
 */
runCommand('Migration', USAGE, async () => {
  noArguments(USAGE);
  const { database } = commandConfig();
  const options = dataSourceOptions(database, ENTITIES);
  await onDatabase(database, async () => {
    const dataSource = await retryLikeStart(() => connect(options));
    try {
      await migrate(dataSource);
    } finally {
      await dataSource.destroy();
    }
  });
  consoleOutput.print('The schema is up to date');
  return true;
});
