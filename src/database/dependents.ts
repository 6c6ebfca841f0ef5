import type { EntityManager } from 'typeorm';

const MAX_NAMED = 5;

/**
 * Words for the relayers that refer to a row, such as `2 relayer(s): Treasury, Payouts`. Asked after a delete was
 * refused by a foreign key, to tell the caller why.
 *
 * @param column the column of `relayers` that refers to the row
 */
export async function describeDependents(
  manager: EntityManager,
  column: 'signer_id' | 'notification_id',
  id: string,
): Promise<string> {
  const rows: { name: string }[] = await manager.query(
    `SELECT name FROM relayers WHERE ${column} = ? ORDER BY created_at, id`,
    [id],
  );
  const named = rows.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : '';
  return `${rows.length} relayer(s): ${named.join(', ')}${more}`;
}
