import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work';
import { networkId } from '../../networks/new-network';
import { NetworksService } from '../../networks/networks.service';
import { RelayerEntity } from '../relayer.entity';
import type { EvmPolicies } from './evm-policies.dto';
import type { Policies } from './policies';
import { isRestricted, SIGNING_POLICIES } from './restriction';
import { topUpRuleOf } from './top-up-policy.dto';
import { topUpSourceFault } from './top-up-source';

const TRANSACTION_ONLY = ['whitelist_receivers', 'gas_price_cap'] as const;

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
    const isSet = relayer.networkType === 'evm' && requested;
    return [
      isSet ? openForms(requested as Policies, relayer.policies) : undefined,
      isSet ? idleMembers(requested as Policies) : undefined,
      await this.topUpFault(relayer, requested),
      await this.lackOfPrivateEndpoint(relayer, requested),
    ].filter((warning) => warning !== undefined);
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

  private async lackOfPrivateEndpoint(
    { network, networkType }: Pick<RelayerEntity, 'network' | 'networkType'>,
    requested: EvmPolicies | null | undefined,
  ): Promise<string | undefined> {
    if (networkType !== 'evm' || requested?.private_transactions !== true) return undefined;
    const { intact } = await this.networks.findIntact([networkId(networkType, network)]);
    if (!intact.some(({ privateRpcUrls }) => privateRpcUrls === null)) return undefined;
    return (
      `policies.private_transactions is true, and network ${network} has no private RPC endpoint: ` +
      'transactions are refused until private_rpc_urls of the network are set'
    );
  }
}

function openForms(requested: Policies, resulting: Policies): string | undefined {
  const isAbout = [...TRANSACTION_ONLY, ...SIGNING_POLICIES].some((name) => requested[name] !== undefined);
  const set = TRANSACTION_ONLY.filter((name) => resulting[name] !== undefined);
  if (!isAbout || isRestricted(resulting) || set.length === 0) return undefined;
  return (
    `${listOf(set)} ${set.length === 1 ? 'applies' : 'apply'} to transactions only: typed data, given in full or as two ` +
    'hashes, and messages of any kind are still signed. Set policies.typed_data, policies.messages or ' +
    'policies.transactions, and whatever none of them allows is rejected'
  );
}

function idleMembers(requested: Policies): string | undefined {
  const value = requested.include_revert_data;
  if (value === undefined || value === null) return undefined;
  return 'policies.include_revert_data is stored but without effect: responses always have the revert data';
}

const listOf = (names: readonly string[]): string => names.map((name) => `policies.${name}`).join(', ');
