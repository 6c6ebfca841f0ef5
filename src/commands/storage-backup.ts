import 'reflect-metadata';
import { causeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { backUpSqlite } from '../database/drivers/sqlite/sqlite-backup';
import { optionalArgument } from './arguments';
import { consoleOutput, runCommand } from './run-command';
import { withStorage } from './stored-records';

const USAGE = 'Usage: npm run storage:backup -- FILE';

/** Copies an embedded database to a new file while the service runs. */
runCommand('Backup', USAGE, async () => {
  const file = optionalArgument(USAGE);
  if (file === undefined || file === '') throw new ConfigurationError([USAGE]);
  return withStorage(async ({ dataSource }) => {
    if (dataSource.options.type !== 'better-sqlite3')
      throw new ConfigurationError([
        'This is only for an embedded database: use mysqldump or mariadb-dump, see docs/operations/keys-and-backups.md',
      ]);
    try {
      consoleOutput.print(`Copied to ${await backUpSqlite(dataSource, file)}`);
      return true;
    } catch (error) {
      throw new ConfigurationError([`The database cannot be copied to ${file}: ${causeOf(error)}`]);
    }
  });
});
