import { ApiProperty } from '@nestjs/swagger';
import { maskUrl } from '../../common/validation/http-url';
import type { RpcUrl } from '../rpc-urls';

/** An RPC endpoint as shown to callers: path, query and user info are masked. */
export class RpcUrlResponse {
  @ApiProperty({ example: 'https://rpc.example.com/***' })
  url!: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, example: 100 })
  weight!: number;
}

export function toRpcUrlResponse({ url, weight }: RpcUrl): RpcUrlResponse {
  return { url: maskUrl(url), weight };
}
