import { ApiExtraModels, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsObject, IsOptional, ValidateNested } from 'class-validator';
import { IsOptionalButNotNull, IsText, textSchema } from '../../common/validation/fields';
import { OptionalIdentifier } from '../../common/validation/members';
import { orNull } from '../../common/openapi/schemas';
import { MAX_RPC_URLS, RpcUrlDto } from '../../networks/dto/rpc-url.dto';
import { EvmPolicies } from '../policies/evm-policies.dto';
import { SolanaPolicies } from '../policies/solana-policies.dto';
import { StellarPolicies } from '../policies/stellar-policies.dto';

/** A JSON merge patch (RFC 7396) of a relayer; absent members do not change. */
@ApiExtraModels(EvmPolicies, SolanaPolicies, StellarPolicies)
export class UpdateRelayerDto {
  /** Null does not change the name. */
  @ApiPropertyOptional({ ...textSchema(1, 255), nullable: true, example: 'Treasury' })
  @IsOptional()
  @IsText(1, 255)
  name?: string | null;

  /** A label by which API keys reach the relayers that carry it; null removes it. */
  @OptionalIdentifier('payouts')
  group?: string | null;

  /** A paused relayer signs nothing. */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @IsOptionalButNotNull()
  @IsBoolean()
  paused?: boolean;

  /** Merged member by member; a member that is null returns to its default, null altogether resets all. At most 256 KiB in all, as JSON. */
  @ApiPropertyOptional({
    ...orNull({
      anyOf: [EvmPolicies, SolanaPolicies, StellarPolicies].map((model) => ({ $ref: getSchemaPath(model) })),
    }),
    example: { min_balance: 1 },
  })
  @IsOptional()
  @IsObject()
  policies?: object | null;

  /** Null unlinks the webhook. */
  @OptionalIdentifier(null)
  notification_id?: string | null;

  /** Replaces the whole list, which has at most 49 000 bytes as JSON; null returns to the network's own endpoints. */
  @ApiPropertyOptional({ type: [RpcUrlDto], nullable: true, maxItems: MAX_RPC_URLS })
  @IsOptional()
  @Type(() => RpcUrlDto)
  @ValidateNested({ each: true })
  @IsObject({ each: true, message: 'each item of $property must be an object with url and weight' })
  @ArrayMaxSize(MAX_RPC_URLS)
  @IsArray()
  custom_rpc_urls?: RpcUrlDto[] | null;
}
