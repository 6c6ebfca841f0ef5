import { Injectable } from '@nestjs/common';
import { networkHasNoChainId } from '../../networks/network.errors';
import { NetworksService } from '../../networks/networks.service';
import { networkId } from '../../networks/new-network';
import { RelayerAccounts } from '../../relayers/relayer-accounts';
import { accountInUse, signerTaken } from '../../relayers/relayer.errors';
import type { NewRelayer } from '../../relayers/new-relayer';
import type { ProvisioningPlan } from './provisioning-plan';

/**
 * Checks whether a relayer to create would conflict with a stored or planned one. The database decides when the plan is
 * carried out; this check reports the conflict in advance and names the other relayer.
 */
@Injectable()
export class RelayerConflicts {
  constructor(
    private readonly networks: NetworksService,
    private readonly accounts: RelayerAccounts,
  ) {}

  /**
   * Whether another instance that is starting has stored the relayer since planning began.
   *
   * @throws DomainError `signer_in_use`, `account_in_use`; `invalid_request` if the chain id of its network is unknown
   */
  async isStored(relayer: NewRelayer, plan: ProvisioningPlan): Promise<boolean> {
    const chainId = await this.chainIdOf(relayer, plan);
    for (const other of plan.relayers) {
      if (sharesSigner(other, relayer)) throw signerTaken(relayer.signerId, relayer.network);
      if (chainId === null || other.address !== relayer.address) continue;
      if ((await this.chainIdOf(other, plan)) === chainId)
        throw accountInUse(other.id, relayer.address, chainId);
    }
    const conflict = await this.accounts.conflictOf(relayer, chainId);
    if (conflict && conflict.code !== 'relayer_exists') throw conflict;
    return conflict !== undefined;
  }

  /**
   * The chain id of a relayer's network. Null on networks other than EVM, and for an invalid network, for which a fault
   * has already been reported.
   *
   * @throws DomainError `invalid_request` if it is not known
   */
  async chainIdOf(
    { networkType, network: name }: NewRelayer,
    { networks }: ProvisioningPlan,
  ): Promise<string | null> {
    const id = networkId(networkType, name);
    const planned = [...networks.create, ...networks.complete].find((network) => network.id === id);
    const network = planned ?? (await this.networks.find(id));
    if (network && networkType === 'evm' && network.chainId === null) throw networkHasNoChainId(name);
    return network?.chainId ?? null;
  }
}

function sharesSigner(one: NewRelayer, other: NewRelayer): boolean {
  return (
    one.signerId === other.signerId && one.networkType === other.networkType && one.network === other.network
  );
}
