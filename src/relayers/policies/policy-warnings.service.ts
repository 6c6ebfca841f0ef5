import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work';
import { networkId } from '../../networks/new-network';
import { NetworksService } from '../../networks/networks.service';
import { RelayerEntity } from '../relayer.entity';
import type { EvmPolicies } from './evm-policies.dto';
import { policyWarnings } from './policy-warnings';
import { topUpRuleOf } from './top-up-policy.dto';
import { topUpSourceFault } from './top-up-source';

/** Warnings about policies that were set, including those that the relayer's network cannot fulfil. */
@Injectable()
export class PolicyWarnings {
  constructor(
    private readonly networks: NetworksService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param relayer with its current policies
   * @param requested the policies in the request, or null for a patch that resets them
   */
  async of(
    relayer: Pick<RelayerEntity, 'network' | 'networkType' | 'policies'>,
    requested: object | null | undefined,
  ): Promise<string[]> {
    const warnings = [
      ...policyWarnings(relayer.networkType, requested, relayer.policies),
      await this.topUpFault(relayer, requested),
    ].filter((warning) => warning !== undefined);
    if (!(await this.lacksPrivateEndpoint(relayer, requested))) return warnings;
    return [
      ...warnings,
      `policies.private_transactions is true, and network ${relayer.network} has no private RPC endpoint: ` +
        'transactions are refused until private_rpc_urls of the network are set',
    ];
  }

  private async topUpFault(
    relayer: Pick<RelayerEntity, 'network' | 'networkType' | 'policies'>,
    requested: EvmPolicies | null | undefined,
  ): Promise<string | undefined> {
    const rule = requested?.top_up ? topUpRuleOf(relayer.policies) : undefined;
    if (!rule) return undefined;
    const select = { id: true, network: true, networkType: true } as const;
    const where = { id: rule.fromRelayer };
    const source = await this.unitOfWork.repository(RelayerEntity).findOne({ select, where });
    return topUpSourceFault(relayer, source);
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
