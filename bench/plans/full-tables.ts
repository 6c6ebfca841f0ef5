import type { Connection } from 'mysql2/promise';
import { numberRows } from '../../test/support/number-rows';

const ROWS_PER_STATEMENT = 500_000;

interface Filling {
  table: string;
  /** The share of all rows. */
  share: number;
  columns: string;
  /** Expressions that use `seq`, `id` and `at`. */
  values: string;
}

/**
 * The tables that grow in operation, in the proportions of a service that mostly signs. Everything that a list can show
 * belongs to one relayer.
 */
const FILLINGS: readonly Filling[] = [
  {
    table: 'audit_events',
    share: 0.4,
    columns: 'chain, sequence, at, key_id, action, relayer_id, outcome, digest, hash',
    values: "1000000, seq, at, 'root', 'sign.typed_data', 'bench-0', 'success', SHA2(id, 256), SHA2(id, 256)",
  },
  {
    table: 'deliveries',
    share: 0.2,
    columns:
      'id, notification_id, event, payload, state, attempts, give_up_at, finished_at, created_at, relayer_id',
    values: "id, 'bench', 'relayer_update', '{}', 'delivered', 1, at, at, at, 'bench-0'",
  },
  {
    table: 'transactions',
    share: 0.2,
    columns:
      'id, account_id, relayer_id, nonce, is_filler, request, sender, status, version, is_canceled, needs_attempt, hashes, finished_at, created_at',
    values: "id, 'evm:424242:0x', 'bench-0', seq, 0, '{}', '0x', 'confirmed', 4, 0, 0, '[]', at, at",
  },
  {
    table: 'transaction_attempts',
    share: 0.1,
    columns: 'transaction_id, number, kind, nonce, hash, content, created_at',
    values: "id, 1, 'initial', seq, SHA2(id, 256), '{}', at",
  },
  {
    table: 'relayers',
    share: 0.1,
    columns:
      'id, name, network, network_type, address, chain_id, signer_id, paused, system_disabled, policies, next_check_at, failed_checks, created_at',
    values: "id, id, 'bench', 'evm', id, '424242', id, 0, 0, '{}', '2100-01-01 00:00:00.000', 0, at",
  },
];

/**
 * Fills the tables that grow with `size` rows in total. The rows have no MACs, because only statements are examined,
 * not content.
 */
export async function fillTables(connection: Connection, size: number): Promise<Record<string, number>> {
  await connection.query('SET foreign_key_checks = 0, unique_checks = 0');
  const counts: Record<string, number> = {};
  for (const { table, share, columns, values } of FILLINGS) {
    const rows = Math.round(size * share);
    for (let first = 0; first < rows; first += ROWS_PER_STATEMENT) {
      const last = Math.min(first + ROWS_PER_STATEMENT, rows) - 1;
      await connection.query(
        `INSERT INTO ${table} (${columns}) SELECT ${values} FROM (
           SELECT seq, CONCAT('row-', LPAD(seq, 9, '0')) AS id, TIMESTAMPADD(SECOND, -seq, UTC_TIMESTAMP()) AS at
           FROM (${numberRows(first, last)}) AS series) AS rows_to_add`,
      );
    }
    await connection.query(`ANALYZE TABLE ${table}`);
    counts[table] = rows;
  }
  return counts;
}
