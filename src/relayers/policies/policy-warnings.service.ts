import { Injectable } from '@nestjs/common';
import { networkId } from '../../networks/new-network';
import { NetworksService } from '../../networks/networks.service';
import type { RelayerEntity } from '../relayer.entity';
import type { EvmPolicies } from './evm-policies.dto';
import { policyWarnings } from './policy-warnings';

/** What the caller should know about policies that were set, including what the relayer's network cannot do. */
@Injectable()
export class PolicyWarnings {
  constructor(private readonly networks: NetworksService) {}

  /**
   * @param relayer with the policies that it has now
   * @param requested the policies of the request, or null for a patch that resets them
   */
  async of(
    relayer: Pick<RelayerEntity, 'network' | 'networkType' | 'policies'>,
    requested: object | null | undefined,
  ): Promise<string[]> {
    const warnings = policyWarnings(relayer.networkType, requested, relayer.policies);
    if (!(await this.lacksPrivateEndpoint(relayer, requested))) return warnings;
    return [
      ...warnings,
      `policies.private_transactions is true, and network ${relayer.network} has no private RPC endpoint: ` +
        'transactions are refused until private_rpc_urls of the network are set',
    ];
  }

  private async lacksPrivateEndpoint(
    { network, networkType }: Pick<RelayerEntity, 'network' | 'networkType'>,
    requested: EvmPolicies | null | undefined,
  ): Promise<boolean> {
    if (networkType !== 'evm' || requested?.private_transactions !== true) return false;
    const { intact } = await this.networks.findIntact([networkId(networkType, network)]);
    return intact.some(({ privateRpcUrls }) => privateRpcUrls === null);
  }
}
