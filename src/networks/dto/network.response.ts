import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { oneOfEnum } from '../../common/openapi/schemas';
import { NETWORK_TYPES, type NetworkType } from '../../chains/network-type';
import type { NetworkEntity } from '../network.entity';
import type { NetworkUrls } from '../new-network';
import { NetworkFees } from './network-fees.dto';
import { RpcUrlResponse, toRpcUrlResponse } from './rpc-url.response';

/** A network as shown to callers. Unset members are omitted; lists are always present. */
export class NetworkResponse {
  @ApiProperty({ example: 'evm:sepolia' })
  id!: string;

  @ApiProperty({ example: 'sepolia' })
  name!: string;

  @ApiProperty(oneOfEnum('NetworkType', NETWORK_TYPES))
  network_type!: NetworkType;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, example: 11155111 })
  chain_id?: number;

  @ApiPropertyOptional({ example: 'ETH' })
  symbol?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, example: 6 })
  required_confirmations?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, example: 12_000 })
  average_blocktime_ms?: number;

  @ApiPropertyOptional({ example: true })
  is_testnet?: boolean;

  @ApiProperty({ type: [String], example: ['eip1559'] })
  features!: string[];

  @ApiProperty({ type: [String], example: ['ethereum-based'] })
  tags!: string[];

  @ApiProperty({ type: [String], example: ['https://sepolia.etherscan.io'] })
  explorer_urls!: string[];

  /** Empty if the network is for signing only. */
  @ApiProperty({ type: [RpcUrlResponse] })
  rpc_urls!: RpcUrlResponse[];

  /** Endpoints that transactions are sent to privately, if there are any. */
  @ApiPropertyOptional({ type: [RpcUrlResponse] })
  private_rpc_urls?: RpcUrlResponse[];

  /** Blocks after which a private transaction is sent publicly; absent for never. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, example: 25 })
  private_fallback_blocks?: number;

  /** Settings for the fees of transactions, if they differ from the defaults. */
  @ApiPropertyOptional({ type: NetworkFees })
  fees?: NetworkFees;

  /** The methods that relayers pass on to the nodes, if other than the read-only ones. */
  @ApiPropertyOptional({ type: [String], example: ['read', 'eth_sendRawTransaction'] })
  rpc_methods?: string[];

  @ApiPropertyOptional({ example: 'Test SDF Network ; September 2015' })
  passphrase?: string;

  @ApiPropertyOptional({ example: 'https://horizon-testnet.stellar.org' })
  horizon_url?: string;
}

export function toNetworkResponse(
  network: NetworkEntity,
  { rpcUrls, privateRpcUrls }: NetworkUrls,
): NetworkResponse {
  return {
    id: network.id,
    name: network.name,
    network_type: network.networkType,
    ...(network.chainId !== null && { chain_id: Number(network.chainId) }),
    ...(network.symbol !== null && { symbol: network.symbol }),
    ...(network.requiredConfirmations !== null && { required_confirmations: network.requiredConfirmations }),
    ...(network.averageBlocktimeMs !== null && { average_blocktime_ms: network.averageBlocktimeMs }),
    ...(network.isTestnet !== null && { is_testnet: network.isTestnet }),
    features: network.features,
    tags: network.tags,
    explorer_urls: network.explorerUrls,
    rpc_urls: rpcUrls.map(toRpcUrlResponse),
    ...(privateRpcUrls.length > 0 && { private_rpc_urls: privateRpcUrls.map(toRpcUrlResponse) }),
    ...(network.privateFallbackBlocks !== null && { private_fallback_blocks: network.privateFallbackBlocks }),
    ...(network.fees !== null && { fees: network.fees }),
    ...(network.rpcMethods !== null && { rpc_methods: network.rpcMethods }),
    ...(network.passphrase !== null && { passphrase: network.passphrase }),
    ...(network.horizonUrl !== null && { horizon_url: network.horizonUrl }),
  };
}
