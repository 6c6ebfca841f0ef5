import type { DataSource } from 'typeorm';
import { NetworkEntity } from '../../src/networks/network.entity';
import { RelayerEntity } from '../../src/relayers/relayer.entity';
import { SignerEntity } from '../../src/signers/signer.entity';

const CHUNK = 500;
const createdAt = new Date(0);
const NETWORK = { id: 'evm:n', name: 'n', networkType: 'evm' as const, createdAt };
const RELAYER = { network: 'n', networkType: 'evm' as const, paused: false, systemDisabled: false };

/**
 * Stores the network `n`, and relayers on it with signers of the same ids, in a database without MACs.
 *
 * @param groups the ids of the relayers of each group
 */
export async function addRelayerGroups(
  { manager }: DataSource,
  groups: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  await manager.insert(NetworkEntity, { ...NETWORK, features: [], tags: [], explorerUrls: [] });
  for (const [group, all] of Object.entries(groups))
    for (let start = 0; start < all.length; start += CHUNK) {
      const ids = all.slice(start, start + CHUNK);
      const relayers = ids.map((id) => ({ ...RELAYER, id, name: id, address: id, signerId: id, group }));
      await manager.insert(
        SignerEntity,
        ids.map((id) => ({ id, kind: 'local', settings: {}, createdAt })),
      );
      await manager.insert(
        RelayerEntity,
        relayers.map((relayer) => ({ ...relayer, policies: {}, createdAt })),
      );
    }
}

/** More relayers than are looked up by their ids. */
export const manyRelayers = (): string[] => Array.from({ length: 1000 }, (_, i) => `r${i}`);
