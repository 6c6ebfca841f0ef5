import { ApiExtraModels, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty } from 'class-validator';
import { IsOptionalButNotNull } from '../../common/validation/fields';
import { FallbackBlocks, PrivateRpcUrls, RPC_URL_LIST_SCHEMA } from './network-fields.dto';
import { Fees, NetworkFees } from './network-fees.dto';
import { RpcMethodList } from './name-list';
import { IsRpcUrlList, RpcUrlDto } from './rpc-url.dto';

/** A change to a network: absent fields do not change, and at least one must be present. */
@ApiExtraModels(RpcUrlDto, NetworkFees)
export class UpdateNetworkDto {
  /** Replaces the whole list. */
  @ApiPropertyOptional({ ...RPC_URL_LIST_SCHEMA, minItems: 1 })
  @ArrayNotEmpty({ message: '$property must contain at least one RPC endpoint' })
  @IsRpcUrlList()
  @IsOptionalButNotNull()
  rpc_urls?: RpcUrlDto[];

  /** Replaces the whole list; null or an empty list removes it. */
  @PrivateRpcUrls()
  private_rpc_urls?: RpcUrlDto[] | null;

  /** Null: private transactions stay private. */
  @FallbackBlocks()
  private_fallback_blocks?: number | null;

  /** Replaces all of it; null restores the defaults. */
  @Fees()
  fees?: NetworkFees | null;

  /** Replaces the whole list; null restores the read-only methods. */
  @RpcMethodList()
  rpc_methods?: string[] | null;
}
