import type { EntityManager } from 'typeorm';
import type { NetworkEntity } from './network.entity';

const MAX_NAMED = 5;

/**
 * Words for the relayers on a network, such as `2 relayer(s): Treasury, Payouts`. Asked after a delete was refused
 * by a foreign key, to tell the caller why. The table is named here, since the module of relayers stands above.
 */
export async function describeNetworkUsers(
  manager: EntityManager,
  { networkType, name }: NetworkEntity,
): Promise<string> {
  const rows: { name: string }[] = await manager.query(
    'SELECT name FROM relayers WHERE network_type = ? AND network = ? ORDER BY created_at, id',
    [networkType, name],
  );
  const named = rows.slice(0, MAX_NAMED).map((relayer) => relayer.name);
  const more = rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : '';
  return `${rows.length} relayer(s): ${named.join(', ')}${more}`;
}
