import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work';
import { BUILT_IN_FIELDS, BUILT_IN_NETWORKS } from '../../networks/built-in-networks';
import { definitionsById, inheritedFields } from '../../networks/network-inheritance';
import { NetworkSeedEntity } from '../../networks/network-seed.entity';
import { NetworksService } from '../../networks/networks.service';
import { isBare, type NewNetwork, toNewNetwork } from '../../networks/new-network';
import { RelayerAccounts } from '../../relayers/relayer-accounts';
import type { ConfiguredNetwork } from './configured-networks';
import type { Attempt, NetworkPlan } from './provisioning-plan';

/** Determines which networks to create, and creates them: the configured ones and, only once, the built-in ones. */
@Injectable()
export class NetworkPlanner {
  constructor(
    private readonly networks: NetworksService,
    private readonly unitOfWork: UnitOfWork,
    private readonly accounts: RelayerAccounts,
  ) {}

  /** @param attempt collects the faults of a network, which is then omitted from the plan */
  async plan(requested: ConfiguredNetwork[], attempt: Attempt): Promise<NetworkPlan> {
    const definitions = definitionsById(requested.map(({ definition }) => definition));
    const ancestors = { definitions, resolved: BUILT_IN_FIELDS };
    const configured: NewNetwork[] = [];
    for (const { place, definition } of requested) {
      const resolve = () =>
        toNewNetwork(definition.type, definition.network, inheritedFields(definition, ancestors));
      configured.push(...(await attempt(place, () => Promise.resolve(resolve()))));
    }
    const given = new Set((await this.seeds.find()).map(({ id }) => id));
    const seeds = [...BUILT_IN_NETWORKS.keys()].filter((id) => !given.has(id)).sort();
    return { configured, seeds, ...(await this.missing(configured, seeds)) };
  }

  /** Must be called in a unit of work. */
  async carryOut({ seeds, create, complete }: NetworkPlan): Promise<void> {
    const createdAt = new Date();
    // Fails with a unique violation if another instance was first.
    if (seeds.length > 0) await this.seeds.insert(seeds.map((id) => ({ id, createdAt })));
    await this.networks.create(create);
    for (const network of complete) await this.networks.complete(network);
    await this.accounts.followNetworks();
  }

  /** A configured network replaces the built-in one with the same id. */
  private async missing(configured: NewNetwork[], seeds: string[]) {
    const wanted = new Map([...BUILT_IN_NETWORKS].filter(([id]) => seeds.includes(id)));
    for (const network of configured) wanted.set(network.id, network);
    const { intact, altered } = await this.networks.findIntact([...wanted.keys()]);
    const stored = new Map(intact.map((network) => [network.id, network]));
    const create: NewNetwork[] = [];
    const complete: NewNetwork[] = [];
    // Sorted, so that instances that start at the same time do not deadlock.
    for (const network of [...wanted.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
      const row = stored.get(network.id);
      if (altered.includes(network.id)) continue;
      if (!row) create.push(network);
      else if (isBare(row)) complete.push(network);
    }
    return { create, complete };
  }

  private get seeds() {
    return this.unitOfWork.repository(NetworkSeedEntity);
  }
}
