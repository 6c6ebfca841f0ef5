import type { DataSource } from 'typeorm';
import { doubtConnections } from './drivers/mysql/connection-checks';
import { readOnlyVariable } from './drivers/mysql/read-only-server';
import { SqliteSession } from './drivers/sqlite/sqlite-query-runner';
import { withSession } from './with-session';

/**
 * Makes sure that the database responds, and that its server accepts writes or its file is still at its path. A
 * connection to a read-only server is closed, so that the next one can reach the server that took over.
 *
 * @throws Error with the reason
 */
export const assertWritable = (dataSource: DataSource): Promise<void> =>
  withSession(dataSource, async (session) => {
    if (session instanceof SqliteSession) {
      session.assertFileInPlace();
      await session.query('SELECT 1');
      return;
    }
    const variable = await readOnlyVariable(session);
    if (variable === undefined) return;
    doubtConnections();
    ((await session.connect()) as { destroy: () => void }).destroy();
    throw new Error(`the database server is read-only (@@global.${variable})`);
  });
