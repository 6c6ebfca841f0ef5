import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  type ApiPropertyOptions,
  getSchemaPath,
} from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, IsOptional, Matches, ValidateNested } from 'class-validator';
import { IsBigInteger, type JsonInteger } from '../../common/validation/big-integer';
import { ExactAmount, IsNumberUpTo, OptionalBoolean, OptionalInteger } from '../../common/validation/members';
import { orNull } from '../../common/openapi/schemas';
import { ADDRESS_PATTERN, checksummed, IsEvmAddress } from '../../chains/evm/address';
import { IsOneOf } from '../../common/validation/fields';

/**
 * Decorators for policy members: each one checks one kind of member, converts it to its stored form and documents it.
 */

/** Entries of a list in the policies of a relayer. @limit Stored objects */
const MAX_ITEMS = 1000;

/** A member that may be omitted; null means the same and is not stored. */
export function OptionalMember(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => value ?? undefined),
  );
}

export function BooleanMember(example: boolean): PropertyDecorator {
  return applyDecorators(OptionalBoolean(example), OptionalMember());
}

export function IntegerMember(max: number): PropertyDecorator {
  return applyDecorators(OptionalInteger(0, max), OptionalMember());
}

/** A share or a tolerance in percent. Decimal fractions are allowed, because no amount is computed from it here. */
export function PercentageMember(max: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Number, nullable: true, minimum: 0, maximum: max }),
    OptionalMember(),
    IsNumberUpTo(max),
  );
}

/** An amount: a JSON integer or a decimal string in the request, stored in exact form. */
export function AmountMember(max: bigint, example: JsonInteger = 1): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ ...amountSchema(max, example), ...orNull(...AMOUNT_FORMS) }),
    ExactAmount(),
    OptionalMember(),
    IsBigInteger(max),
  );
}

/** Like {@link AmountMember}, but required. */
export function RequiredAmountMember(max: bigint, example: JsonInteger): PropertyDecorator {
  return applyDecorators(ApiProperty(amountSchema(max, example)), ExactAmount(), IsBigInteger(max));
}

const AMOUNT_FORMS = [
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' },
];

const amountSchema = (max: bigint, example: JsonInteger): ApiPropertyOptions => ({
  oneOf: AMOUNT_FORMS,
  description: `From 0 to ${max.toString()}; beyond 2^53-1 as a decimal string.`,
  example,
});

/** One of several fixed texts. */
export function ChoiceMember(choices: readonly string[]): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, pattern: `^(${choices.join('|')})$` }),
    OptionalMember(),
    IsOneOf(choices),
  );
}

/** A list of strings, each checked by `isEach`; OpenAPI shows `pattern`. */
export function TextListMember(
  isEach: PropertyDecorator,
  pattern: string,
  example: string[],
): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'array',
      items: { type: 'string', pattern },
      maxItems: MAX_ITEMS,
      nullable: true,
      example,
    }),
    OptionalMember(),
    IsArray(),
    ArrayMaxSize(MAX_ITEMS),
    isEach,
  );
}

/** An EVM address, stored in checksummed form. */
export function AddressMember(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      nullable: true,
      pattern: ADDRESS_PATTERN,
      example: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    }),
    Transform(({ value }: { value: unknown }) => checksummed(value) ?? value),
    OptionalMember(),
    IsEvmAddress(),
  );
}

/** A list of EVM addresses, stored in checksummed form. */
export function AddressListMember(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((item: unknown) => checksummed(item) ?? item) : value,
    ),
    TextListMember(IsEvmAddress({ each: true }), ADDRESS_PATTERN, [
      '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
    ]),
  );
}

/** Adds the schema that a member refers to to the OpenAPI document. */
const referenced =
  (type: () => new () => object): PropertyDecorator =>
  (target) => {
    ApiExtraModels(type())(target.constructor);
  };

export function ObjectMember(type: () => new () => object): PropertyDecorator {
  return applyDecorators(
    referenced(type),
    ApiPropertyOptional(orNull({ $ref: getSchemaPath(type()) })),
    OptionalMember(),
    IsObject(),
    Type(type),
    ValidateNested(),
  );
}

export function ObjectListMember(type: () => new () => object): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: () => type(), isArray: true, maxItems: MAX_ITEMS, nullable: true }),
    OptionalMember(),
    IsArray(),
    ArrayMaxSize(MAX_ITEMS),
    IsObject({ each: true, message: 'each item of $property must be an object' }),
    Type(type),
    ValidateNested({ each: true }),
  );
}

const CRON = /^(?=.{1,120}$)[A-Za-z0-9*/,?#-]+( [A-Za-z0-9*/,?#-]+){4,6}$/;

/** A cron expression with five to seven fields. */
export function CronMember(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, pattern: CRON.source, example: '0 0 * * * *' }),
    OptionalMember(),
    Matches(CRON, {
      message: '$property must be a cron schedule of five to seven fields',
    }),
  );
}
