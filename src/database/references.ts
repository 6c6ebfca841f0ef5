import type { EntityManager } from 'typeorm';
import { placeholders } from './placeholders';
import type { RowCondition } from './row-condition';

const MAX_NAMED = 5;

/** The columns of `relayers` that refer to rows of other tables. */
type Reference =
  { signer_id: string } | { notification_id: string } | { network_type: string; network: string };

/** The columns of `relayers` that identify an account, on one network or on all. */
type Account = { address: string } | { address: string; network_type: string; network: string };

/** What decides who can reach a relayer. */
interface FoundRelayer {
  id: string;
  group: string | null;
}

/**
 * Describes the relayers that refer to a row, for example `2 relayer(s): Treasury (t1), Payouts (p1)`, to explain why
 * a foreign key refused a delete. Names need not be unique. The table is named here, because the relayers module is in a
 * higher layer than the modules that call this.
 *
 * @param mayName whether the caller may see a relayer; others are only counted
 */
export async function describeDependents(
  manager: EntityManager,
  reference: Reference,
  mayName: (relayer: FoundRelayer) => boolean,
): Promise<string> {
  const rows: { id: string; name: string; relayer_group: string | null }[] = await manager.query(
    `SELECT id, name, relayer_group FROM relayers WHERE ${conditionOn(reference)} ORDER BY created_at, id`,
    Object.values(reference),
  );
  return describeRelayers(rows, mayName);
}

/** As {@link describeDependents}, for relayers that were read. */
export function describeRelayers(
  rows: readonly { id: string; name: string; relayer_group: string | null }[],
  mayName: (relayer: FoundRelayer) => boolean,
): string {
  const named = rows
    .filter(({ id, relayer_group: group }) => mayName({ id, group }))
    .slice(0, MAX_NAMED)
    .map(({ id, name }) => `${name} (${id})`);
  if (named.length === 0) return `${rows.length} relayer(s)`;
  const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : '';
  return `${rows.length} relayer(s): ${named.join(', ')}${more}`;
}

/** Whether all relayers that refer to a row satisfy a condition. */
export async function everyDependent(
  manager: EntityManager,
  reference: Reference,
  meets: (relayer: FoundRelayer) => boolean,
): Promise<boolean> {
  return (await relayersWith(manager, reference)).every(meets);
}

/** The relayers that refer to a row, or have an account. */
export async function relayersWith(
  manager: EntityManager,
  values: Reference | Account,
): Promise<FoundRelayer[]> {
  const rows: { id: string; relayer_group: string | null }[] = await manager.query(
    `SELECT id, relayer_group FROM relayers WHERE ${conditionOn(values)}${currentRead(manager)}`,
    Object.values(values),
  );
  return rows.map(({ id, relayer_group: group }) => ({ id, group }));
}

/**
 * In a transaction on a server, what decides must be the rows as they are: the snapshot of the transaction may be older
 * than its locks, and two transactions that each add a relayer would not see the relayer of the other.
 */
const currentRead = ({ dataSource, queryRunner }: EntityManager): string =>
  dataSource.options.type !== 'better-sqlite3' && queryRunner?.isTransactionActive
    ? ' LOCK IN SHARE MODE'
    : '';

/** Whether any relayer refers to a row. */
export async function hasDependents(manager: EntityManager, reference: Reference): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    `SELECT 1 FROM relayers WHERE ${conditionOn(reference)} LIMIT 1`,
    Object.values(reference),
  );
  return rows.length > 0;
}

/** The given notifications that relayers use, all of which satisfy a condition on rows of `relayers`. */
export async function notificationsUsedOnlyBy(
  manager: EntityManager,
  ids: readonly string[],
  { sql, values }: RowCondition,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows: { id: string }[] = await manager.query(
    `SELECT notification_id AS id FROM relayers WHERE notification_id IN (${placeholders(ids)}) ` +
      `GROUP BY notification_id HAVING MIN(CASE WHEN ${sql} THEN 1 ELSE 0 END) = 1`,
    [...ids, ...values],
  );
  return new Set(rows.map(({ id }) => id));
}

function conditionOn(values: Reference | Account): string {
  return Object.keys(values)
    .map((column) => `${column} = ?`)
    .join(' AND ');
}
