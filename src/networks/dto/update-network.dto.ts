import { ApiExtraModels, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayNotEmpty, IsOptional } from 'class-validator';
import { IsOptionalButNotNull } from '../../common/validation/fields';
import { RPC_URL_LIST_SCHEMA } from './network-fields.dto';
import { IsRpcMethodList, RPC_METHOD_LIST_SCHEMA } from './rpc-method.rule';
import { IsRpcUrlList, RpcUrlDto } from './rpc-url.dto';

/** A change of a network: what is absent stays as it is, and something must be given. */
@ApiExtraModels(RpcUrlDto)
export class UpdateNetworkDto {
  /** Replaces the whole list. */
  @ApiPropertyOptional({ ...RPC_URL_LIST_SCHEMA, minItems: 1 })
  @ArrayNotEmpty({ message: '$property must contain at least one RPC endpoint' })
  @IsRpcUrlList()
  @IsOptionalButNotNull()
  rpc_urls?: RpcUrlDto[];

  /** Replaces the whole list; null returns to the reading methods alone. */
  @ApiPropertyOptional(RPC_METHOD_LIST_SCHEMA)
  @IsOptional()
  @IsRpcMethodList()
  rpc_methods?: string[] | null;
}
