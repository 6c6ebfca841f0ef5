import { Logger } from '@nestjs/common';
import {
  type DataSource,
  MigrationExecutor,
  type MigrationInterface,
  QueryFailedError,
  type QueryRunner,
} from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { driverCodeOf } from './drivers/driver-errors';
import { withStatementTimeout } from './drivers/mysql/mysql-query-runner';
import { refuseNewerSchema, SERVICE_MIGRATIONS } from './unknown-migrations';
import { withSession } from './with-session';

/** Time that an instance waits while another one migrates the database. @limit Database and Redis */
const LOCK_TIMEOUT_SECONDS = 120;
/** Time for one statement of a migration, which may rebuild a large table. @limit Database and Redis */
export const MIGRATION_STATEMENT_TIMEOUT_MS = 3_600_000;

const logger = new Logger('Migrations');

/** An additional set of migrations, which run separately, after the service's own. */
export interface MigrationSet {
  /** Its owner, for messages: `the plugin acme-ledger`. */
  readonly owner: string;
  /** The table that records the migrations that have run. */
  readonly table: string;
  readonly migrations: readonly (new () => MigrationInterface)[];
}

/**
 * Runs pending migrations, but refuses a schema that a newer version has written. On MySQL and MariaDB they run under a
 * named lock of the server, so that several instances may start at the same time: one migrates, the others wait and
 * then find nothing left to do.
 *
 * @throws ConfigurationError if another instance keeps the lock longer than `lockTimeoutSeconds`, or the code of an
 * additional migration fails
 */
export async function migrate(
  dataSource: DataSource,
  sets: readonly MigrationSet[] = [],
  lockTimeoutSeconds = LOCK_TIMEOUT_SECONDS,
): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') {
    await withSession(dataSource, (session) => runAll(dataSource, session, sets));
    return;
  }
  const patient = withStatementTimeout(dataSource, MIGRATION_STATEMENT_TIMEOUT_MS);
  // The lock belongs to the connection of the migrations. If the process dies, the server continues a statement, and
  // releases the lock afterwards.
  await withSession(patient, async (session) => {
    await lock(session, lockTimeoutSeconds);
    try {
      await runAll(patient, session, sets);
    } finally {
      await unlock(session);
    }
  });
}

async function runAll(
  dataSource: DataSource,
  session: QueryRunner,
  sets: readonly MigrationSet[],
): Promise<void> {
  await refuseNewerSchema(dataSource, SERVICE_MIGRATIONS);
  await runLogged(new MigrationExecutor(dataSource, session), 'the service');
  for (const set of sets) {
    const own = withMigrations(dataSource, set);
    await refuseNewerSchema(own, set);
    await runLogged(new MigrationExecutor(own, session), set.owner);
  }
}

/** A statement may take an hour, so the log says what runs before it says what has run. */
async function runLogged(executor: MigrationExecutor, owner: string): Promise<void> {
  executor.transaction = 'each';
  const pending = await executor.getPendingMigrations();
  if (pending.length === 0) return;
  const [first, last] = [pending.at(0)?.name, pending.at(-1)?.name];
  logger.log('Migrating the database', { of: owner, migrations: pending.length, first, last });
  await executor.executePendingMigrations();
  logger.log('Database migrated', { of: owner, migrations: pending.length });
}

/** A view of the data source with different migrations, and its own table of those that have run. */
function withMigrations(dataSource: DataSource, { owner, table, migrations }: MigrationSet): DataSource {
  return Object.create(dataSource, {
    options: { value: { ...dataSource.options, migrationsTableName: table } },
    migrations: { value: migrations.map((Migration) => explaining(created(Migration, owner), owner)) },
  }) as DataSource;
}

/** @throws ConfigurationError that names the migration */
function created(Migration: MigrationSet['migrations'][number], owner: string): MigrationInterface {
  try {
    const migration = new Migration();
    if (typeof migration.up === 'function') return migration;
  } catch (error) {
    throw new ConfigurationError([
      `The migration ${Migration.name} of ${owner} cannot be created: ${causeOf(error)}`,
    ]);
  }
  throw new ConfigurationError([`The migration ${Migration.name} of ${owner} has no method up`]);
}

/**
 * The migration, whose errors become ConfigurationErrors that name it. Errors of the database stay as they are, because
 * their code decides whether the start tries again.
 */
function explaining(migration: MigrationInterface, owner: string): MigrationInterface {
  const up = migration.up.bind(migration);
  migration.up = async (queryRunner) => {
    try {
      await up(queryRunner);
    } catch (error) {
      if (error instanceof QueryFailedError || driverCodeOf(error) !== '') throw error;
      const name = migration.name ?? migration.constructor.name;
      const fault = new ConfigurationError([`The migration ${name} of ${owner} failed: ${causeOf(error)}`]);
      fault.cause = error;
      throw fault;
    }
  };
  return migration;
}

/** A connection that was lost has released the lock already. */
async function unlock(session: QueryRunner): Promise<void> {
  try {
    await session.query('SELECT RELEASE_LOCK(CONCAT(LEFT(DATABASE(), 48), ?))', ['.migrations']);
  } catch (error) {
    logger.warn('The connection with the lock for migrations was lost', { cause: causeOf(error) });
  }
}

/** Waits in steps, because servers may limit the time of a statement, which then returns null. */
async function lock(session: QueryRunner, timeoutSeconds: number): Promise<void> {
  const step = 5;
  for (let waited = 0; waited < timeoutSeconds; waited += step) {
    const [row] = (await session.query('SELECT GET_LOCK(CONCAT(LEFT(DATABASE(), 48), ?), ?) AS locked', [
      '.migrations',
      step,
    ])) as { locked: string | number | null }[];
    if (Number(row?.locked) === 1) return;
  }
  throw new ConfigurationError([
    `Another instance has been migrating the database for ${timeoutSeconds} seconds`,
  ]);
}
