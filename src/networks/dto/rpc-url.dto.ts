import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { IsOptionalButNotNull } from '../../common/validation/fields';
import { HTTP_URL_SCHEMA, IsHttpUrl } from '../../common/validation/http-url';
import type { RpcUrl } from '../rpc-urls';

const DEFAULT_WEIGHT = 100;
/** RPC endpoints of a network, or of `custom_rpc_urls` of a relayer. @limit Stored objects */
export const MAX_RPC_URLS = 16;

/** An RPC endpoint. Rules are checked from the bottom up, and the first failure is reported. */
export class RpcUrlDto {
  @ApiProperty({ ...HTTP_URL_SCHEMA, example: 'https://rpc.example.com/v2/key' })
  @IsHttpUrl({ userInfo: true })
  url!: string;

  /** The share of the calls that goes to this endpoint. */
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 100, default: DEFAULT_WEIGHT })
  @IsOptionalButNotNull()
  @Max(100)
  @Min(0)
  @IsInt()
  weight?: number;
}

/** A list of RPC endpoints, each an object or, with the default weight, a plain URL. */
export function IsRpcUrlList(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(toObject) : value)),
    Type(() => RpcUrlDto),
    IsArray(),
    ArrayMaxSize(MAX_RPC_URLS),
    IsObject({
      each: true,
      message: 'each item of $property must be a URL or an object with url and weight',
    }),
    ValidateNested({ each: true }),
  );
}

export function withWeights(urls: RpcUrlDto[]): RpcUrl[] {
  return urls.map(({ url, weight }) => ({ url, weight: weight ?? DEFAULT_WEIGHT }));
}

function toObject(item: unknown): unknown {
  return typeof item === 'string' ? Object.assign(new RpcUrlDto(), { url: item }) : item;
}
