import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mysql2/promise';
import { until } from './private-servers';

/** Waits until transactions on MariaDB wait for locks. */
export class LockWaits {
  private readonly seen = new Set<unknown>();

  /** @param connection to the database of the transactions */
  constructor(private readonly connection: Connection) {}

  /** Resolves once this many transactions wait that did not when it was called before. */
  async until(count: number): Promise<void> {
    await until('statements to wait for locks', async () => {
      // The server refreshes the table only if nobody has read it for 100 ms.
      await sleep(150);
      const [rows] = await this.connection.query(
        `SELECT trx_id FROM information_schema.innodb_trx
         JOIN information_schema.processlist ON id = trx_mysql_thread_id
         WHERE db = DATABASE() AND trx_state = 'LOCK WAIT'`,
      );
      // It can still list transactions that have ended.
      const ids = (rows as { trx_id: unknown }[]).map((row) => row.trx_id).filter((id) => !this.seen.has(id));
      if (ids.length < count) return false;
      for (const id of ids) this.seen.add(id);
      return true;
    });
  }
}
