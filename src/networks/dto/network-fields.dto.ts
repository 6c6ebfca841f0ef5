import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiPropertyOptional, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsOptional } from 'class-validator';
import { IsText, textSchema } from '../../common/validation/fields';
import { HTTP_URL_SCHEMA, IsHttpUrl } from '../../common/validation/http-url';
import { OptionalBoolean, OptionalInteger } from '../../common/validation/members';
import { Fees, NetworkFees } from './network-fees.dto';
import { LabelList, RpcMethodList } from './name-list';
import { IsRpcUrlList, MAX_RPC_URLS, RpcUrlDto } from './rpc-url.dto';

/** Explorer URLs of a network. @limit Stored objects */
const MAX_EXPLORERS = 8;

/** Blocks of `private_fallback_blocks`. @limit Stored objects */
const MAX_FALLBACK_BLOCKS = 10_000;

/** The OpenAPI schema of a list of RPC endpoints. */
export const RPC_URL_LIST_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  maxItems: MAX_RPC_URLS,
  items: {
    oneOf: [HTTP_URL_SCHEMA, { $ref: getSchemaPath(RpcUrlDto) }],
  },
  example: ['https://rpc.example.com/v2/key', { url: 'https://rpc.example.org', weight: 50 }],
};

/** Endpoints that hide transactions until they are mined, for relayers with `policies.private_transactions`. */
export function PrivateRpcUrls(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...RPC_URL_LIST_SCHEMA, nullable: true }),
    IsOptional(),
    IsRpcUrlList(),
  );
}

/** The number of blocks after which a private transaction is sent publicly. */
export const FallbackBlocks = (): PropertyDecorator => OptionalInteger(1, MAX_FALLBACK_BLOCKS, 25);

/** The fields of a network; null means the same as absent. */
@ApiExtraModels(RpcUrlDto, NetworkFees)
export class NetworkFieldsDto {
  /** EIP-155; required for EVM networks, and only they have one. */
  @OptionalInteger(1, Number.MAX_SAFE_INTEGER, 11155111)
  chain_id?: number | null;

  /** Of the coin that pays for transactions. */
  @ApiPropertyOptional({ ...textSchema(1, 16), nullable: true, example: 'ETH' })
  @IsOptional()
  @IsText(1, 16)
  symbol?: string | null;

  /** Blocks after which a transaction counts as final. */
  @OptionalInteger(0, 10_000, 6)
  required_confirmations?: number | null;

  @OptionalInteger(1, 3_600_000, 12_000)
  average_blocktime_ms?: number | null;

  @OptionalBoolean(true)
  is_testnet?: boolean | null;

  /** What the network can do, such as `eip1559`. */
  @LabelList(['eip1559'])
  features?: string[] | null;

  /** What the network is, such as `rollup`. */
  @LabelList(['ethereum-based'])
  tags?: string[] | null;

  @ApiPropertyOptional({
    type: 'array',
    items: HTTP_URL_SCHEMA,
    maxItems: MAX_EXPLORERS,
    nullable: true,
    example: ['https://sepolia.etherscan.io'],
  })
  @IsOptional()
  @IsHttpUrl({ userInfo: false }, { each: true })
  @ArrayMaxSize(MAX_EXPLORERS)
  @IsArray()
  explorer_urls?: string[] | null;

  /** None if the network is for signing only. */
  @ApiPropertyOptional({ ...RPC_URL_LIST_SCHEMA, nullable: true })
  @IsOptional()
  @IsRpcUrlList()
  rpc_urls?: RpcUrlDto[] | null;

  /**
   * Endpoints that hide a transaction until it is mined. Relayers with `policies.private_transactions` send to these, and read
   * from the others. Only for EVM networks.
   */
  @PrivateRpcUrls()
  private_rpc_urls?: RpcUrlDto[] | null;

  /**
   * Blocks after which a transaction that was sent privately, and is not mined, is sent to `rpc_urls` too; absent or null: it
   * stays private. Only for EVM networks.
   */
  @FallbackBlocks()
  private_fallback_blocks?: number | null;

  /** How the fees of transactions are found. Only for EVM networks. */
  @Fees()
  fees?: NetworkFees | null;

  /**
   * JSON-RPC methods that relayers pass on to the nodes; `read` stands for all read-only methods and is the default. A call
   * whose response is lost is repeated, perhaps at another node: list only methods for which that is harmless.
   */
  @RpcMethodList()
  rpc_methods?: string[] | null;

  /** Only for Stellar networks. */
  @ApiPropertyOptional({ ...textSchema(1, 255), nullable: true })
  @IsOptional()
  @IsText(1, 255)
  passphrase?: string | null;

  /** Only for Stellar networks. */
  @ApiPropertyOptional({ ...HTTP_URL_SCHEMA, nullable: true })
  @IsOptional()
  @IsHttpUrl({ userInfo: false })
  horizon_url?: string | null;
}

/** The fields as a plain object. */
export type NetworkFields = Pick<NetworkFieldsDto, keyof NetworkFieldsDto>;
