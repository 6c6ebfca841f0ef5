import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { arePercentilesRising, type NetworkFeeFields } from '../../chains/evm/sending/fee-settings';
import { orNull } from '../../common/openapi/schemas';
import { IsBigInteger, type JsonInteger, UINT128_MAX } from '../../common/validation/big-integer';
import { ExactAmount, IsNumberUpTo, OptionalBoolean } from '../../common/validation/members';
import { validationRule } from '../../common/validation/validation-rule';

/** For each speed, the percentile of the tips in recent blocks that it offers. An absent speed has its default. */
export class FeePercentiles {
  @Percentile(30)
  safeLow?: number;

  @Percentile(50)
  average?: number;

  @Percentile(85)
  fast?: number;

  @Percentile(99)
  fastest?: number;
}

/** How the fees of transactions on a network are determined; absent members have their defaults. */
@ApiExtraModels(FeePercentiles)
export class NetworkFees {
  /** In wei: no transaction offers a lower tip. Default: the minimum that nodes of the chain require, if known. */
  @ApiPropertyOptional({
    ...orNull(
      { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      { type: 'string', pattern: '^(0|[1-9][0-9]{0,38})$' },
    ),
    example: '30000000000',
  })
  @ExactAmount()
  @IsOptional()
  @IsBigInteger(UINT128_MAX)
  min_priority_fee?: JsonInteger;

  /** None may be below that of a slower speed. Defaults: 30, 50, 85, 99. */
  @ApiPropertyOptional(orNull({ $ref: getSchemaPath(FeePercentiles) }))
  @IsOptional()
  @IsObject()
  @Type(() => FeePercentiles)
  @ValidateNested()
  @ArePercentilesRising()
  percentiles?: FeePercentiles;

  /** Transactions have one gas price, from `eth_gasPrice`, although the network has base fees. */
  @OptionalBoolean(false)
  legacy?: boolean;
}

/** The fee settings of a network; null for the defaults. */
export function Fees(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional(orNull({ $ref: getSchemaPath(NetworkFees) })),
    IsOptional(),
    IsObject(),
    Type(() => NetworkFees),
    ValidateNested(),
  );
}

/** Fee settings in their stored form: a plain object without null members; null if it would be empty. */
export function toStoredFees(fees: NetworkFees | null | undefined): NetworkFeeFields | null {
  const withoutNull = (_name: string, value: unknown): unknown => value ?? undefined;
  const stored = JSON.parse(JSON.stringify(fees ?? {}), withoutNull) as NetworkFeeFields;
  return Object.keys(stored).length === 0 ? null : stored;
}

function Percentile(example: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Number, minimum: 0, maximum: 100, nullable: true, example }),
    IsOptional(),
    IsNumberUpTo(100),
  );
}

function ArePercentilesRising(): PropertyDecorator {
  return validationRule(
    'arePercentilesRising',
    // Another rule reports values that are not numbers.
    (value) =>
      arePercentilesRising(
        Object.fromEntries(Object.entries(value as object).filter(([, each]) => typeof each === 'number')),
      ),
    '$property must not fall from safeLow to fastest, with 30, 50, 85 and 99 where none is given',
  );
}
