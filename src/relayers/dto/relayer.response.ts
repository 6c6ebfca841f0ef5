import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IDENTIFIER } from '../../common/validation/fields';
import { oneOfEnum } from '../../common/openapi/schemas';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import { RpcUrlResponse, toRpcUrlResponse } from '../../networks/dto/rpc-url.response';
import type { RpcUrl } from '../../networks/rpc-urls';
import { DISABLED_REASON_TEXTS, type DisabledReason } from '../disabled-reason';
import type { Policies } from '../policies/policies';
import { EvmPolicies } from '../policies/evm-policies.dto';
import { SolanaPolicies } from '../policies/solana-policies.dto';
import { StellarPolicies } from '../policies/stellar-policies.dto';
import type { RelayerEntity } from '../relayer.entity';

const TYPES = Object.keys(DISABLED_REASON_TEXTS);

const REASON = {
  title: 'DisabledReason',
  type: 'object',
  required: ['type', 'details'],
  properties: {
    type: { type: 'string', 'x-extensible-enum': [...TYPES, 'Multiple'] },
    details: {
      description: 'A fixed text; for `Multiple` the reasons.',
      oneOf: [
        { type: 'string', 'x-extensible-enum': Object.values(DISABLED_REASON_TEXTS) },
        { type: 'array', items: { $ref: getSchemaPath('DisabledReason') } },
      ],
    },
  },
};

/** A relayer without its secrets. Unset members are omitted. */
@ApiExtraModels(EvmPolicies, SolanaPolicies, StellarPolicies)
export class RelayerResponse {
  @ApiProperty({ pattern: IDENTIFIER.source, example: 'demo' })
  id!: string;

  @ApiProperty({ example: 'Demonstration relayer' })
  name!: string;

  /** The label by which API keys reach it. */
  @ApiPropertyOptional({ pattern: IDENTIFIER.source, example: 'payouts' })
  group?: string;

  @ApiProperty({ example: 'sepolia' })
  network!: string;

  @ApiProperty(oneOfEnum('NetworkType', NETWORK_TYPES))
  network_type!: NetworkType;

  @ApiProperty({ example: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' })
  address!: string;

  @ApiProperty({ example: 'demo' })
  signer_id!: string;

  @ApiPropertyOptional({ example: 'ops-webhook' })
  notification_id?: string;

  @ApiProperty({ example: false })
  paused!: boolean;

  @ApiProperty({ example: false })
  system_disabled!: boolean;

  @ApiPropertyOptional({ allOf: [REASON] })
  disabled_reason?: DisabledReason;

  @ApiPropertyOptional({ type: [RpcUrlResponse] })
  custom_rpc_urls?: RpcUrlResponse[];

  @ApiPropertyOptional({
    anyOf: [EvmPolicies, SolanaPolicies, StellarPolicies].map((model) => ({ $ref: getSchemaPath(model) })),
    example: { min_balance: 1 },
  })
  policies?: Policies;
}

/** @param rpcUrls the relayer's own endpoints, undefined if it uses those of the network */
export function toRelayerResponse(relayer: RelayerEntity, rpcUrls: RpcUrl[] | undefined): RelayerResponse {
  return {
    id: relayer.id,
    name: relayer.name,
    network: relayer.network,
    network_type: relayer.networkType,
    address: relayer.address,
    signer_id: relayer.signerId,
    paused: relayer.paused,
    system_disabled: relayer.systemDisabled,
    ...(relayer.group !== null && { group: relayer.group }),
    ...(relayer.notificationId !== null && { notification_id: relayer.notificationId }),
    ...(relayer.disabledReason !== null && { disabled_reason: relayer.disabledReason }),
    ...(rpcUrls && { custom_rpc_urls: rpcUrls.map(toRpcUrlResponse) }),
    ...(Object.keys(relayer.policies).length > 0 && { policies: relayer.policies }),
  };
}
