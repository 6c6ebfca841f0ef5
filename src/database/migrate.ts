import type { DataSource, QueryRunner } from 'typeorm';
import { refuseNewerSchema } from './unknown-migrations';

/** Time that an instance waits while another one migrates the database. @limit Database and Redis */
const LOCK_TIMEOUT_SECONDS = 120;

/**
 * Runs pending migrations; a schema that a newer version has left is refused. On MySQL and MariaDB they run under a named lock of the server, so that several instances may
 * start at the same time: one migrates, the others wait and find nothing left to do.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  if (dataSource.options.type === 'better-sqlite3') {
    await refuseNewerSchema(dataSource);
    await dataSource.runMigrations({ transaction: 'each' });
    return;
  }
  // The lock belongs to its connection and is released if the process dies.
  const session = dataSource.createQueryRunner();
  try {
    await lock(session);
    try {
      await refuseNewerSchema(dataSource);
      await dataSource.runMigrations({ transaction: 'each' });
    } finally {
      await session.query('SELECT RELEASE_LOCK(CONCAT(LEFT(DATABASE(), 48), ?))', ['.migrations']);
    }
  } finally {
    await session.release();
  }
}

/** Waits in steps shorter than the statement time-out. */
async function lock(session: QueryRunner): Promise<void> {
  const step = 5;
  for (let waited = 0; waited < LOCK_TIMEOUT_SECONDS; waited += step) {
    const rows = (await session.query('SELECT GET_LOCK(CONCAT(LEFT(DATABASE(), 48), ?), ?) AS locked', [
      '.migrations',
      step,
    ])) as { locked: string | number | null }[];
    if (Number(rows[0]?.locked) === 1) return;
  }
  throw new Error(`Another instance has been migrating the database for ${LOCK_TIMEOUT_SECONDS} seconds`);
}
