import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty } from 'class-validator';
import { RPC_URL_LIST_SCHEMA } from './network-fields.dto';
import { IsRpcUrlList, RpcUrlDto } from './rpc-url.dto';

/** A change of a network. */
@ApiExtraModels(RpcUrlDto)
export class UpdateNetworkDto {
  /** Replaces the whole list. */
  @ApiProperty({ ...RPC_URL_LIST_SCHEMA, minItems: 1 })
  @ArrayNotEmpty({ message: '$property must contain at least one RPC endpoint' })
  @IsRpcUrlList()
  rpc_urls!: RpcUrlDto[];
}
