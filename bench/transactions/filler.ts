/** Adds final records in bulk, to show that earlier transactions do not make sending more expensive. */
import type { SendingRelayer } from '../../test/support/transactions';
import { type ObservedDatabase, SqliteFile } from '../deliveries/database';
import { numberRows } from '../../test/support/number-rows';

const COLUMNS =
  'id, account_id, relayer_id, nonce, is_filler, request, sender, status, version, is_canceled, needs_attempt, hashes, finished_at, created_at';

/** Adds confirmed transactions of an account, with nonces below those in use, and an attempt for each. */
export async function fillTransactions(
  database: ObservedDatabase,
  { id, address }: SendingRelayer,
  count: number,
): Promise<void> {
  const isSqlite = database instanceof SqliteFile;
  const text = (prefix: string): string => (isSqlite ? `'${prefix}' || n` : `CONCAT('${prefix}', n)`);
  const series = isSqlite
    ? `WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${count})`
    : '';
  const source = isSqlite
    ? 'series'
    : `(SELECT seq AS n FROM (${numberRows(1, count)}) AS rows_to_add) AS series`;
  const past = "'2025-01-01 00:00:00.000'";
  const run = (table: string, columns: string, values: string): Promise<unknown> =>
    database.query(
      isSqlite
        ? `${series} INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${source}`
        : `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${source}`,
    );
  await run(
    'transactions',
    COLUMNS,
    `${text('old-')}, 'evm:424242:${address}', '${id}', -n, 0, '{}', '${address}', 'confirmed', 4, 0, 0, '[]', ${past}, ${past}`,
  );
  await run(
    'transaction_attempts',
    'transaction_id, number, kind, nonce, hash, raw, content, created_at',
    `${text('old-')}, 1, 'request', -n, ${text('0x')}, '{"text":"0x"}', '{}', ${past}`,
  );
}
