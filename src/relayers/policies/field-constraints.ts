import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  INT256_MIN,
  type JsonInteger,
  parseSignedInteger,
  toJsonInteger,
  UINT256_MAX,
} from '../../common/validation/big-integer';
import { isObject } from '../../common/validation/json-object';
import { validationRule } from '../../common/validation/validation-rule';
import { orNull } from '../../common/openapi/schemas';
import { ADDRESS, isAddress } from '../../chains/evm/address';
import { EIP712_NAME } from '../../chains/evm/typed-data/member-type';
import { OptionalMember } from './policy-fields';

/** A value that a member of a message may have, in any form that typed data allows. */
export type FieldValue = string | number | boolean;

/** Inclusive bounds of an integer, at least one of which is set. */
export interface FieldRange {
  min?: JsonInteger;
  max?: JsonInteger;
}

/** The constraint on a member of a message: one value, one of several values, or an integer within bounds. */
export type FieldConstraint = FieldValue | FieldValue[] | FieldRange;

/** Fields that an entry of `typed_data.allowed` constrains. @limit Stored objects */
const MAX_FIELDS = 32;
/** Values that such a field may have. @limit Stored objects */
const MAX_VALUES = 100;
const MAX_TEXT = 1024;

const VALUE_SCHEMA = [{ type: 'string', maxLength: MAX_TEXT }, { type: 'integer' }, { type: 'boolean' }];
const BOUND_SCHEMA = {
  oneOf: [{ type: 'integer' }, { type: 'string', pattern: '^(0|-?[1-9][0-9]{0,77}|0x[0-9a-fA-F]{1,64})$' }],
};

const FIELDS_SCHEMA = {
  title: 'FieldConstraints',
  type: 'object',
  minProperties: 1,
  maxProperties: MAX_FIELDS,
  additionalProperties: {
    oneOf: [
      ...VALUE_SCHEMA,
      { type: 'array', minItems: 1, maxItems: MAX_VALUES, items: { oneOf: VALUE_SCHEMA } },
      {
        title: 'FieldRange',
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: { min: BOUND_SCHEMA, max: BOUND_SCHEMA },
      },
    ],
  },
};

/** Constraints on members of a message, by member name. */
export function FieldConstraintsMember(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      ...orNull(FIELDS_SCHEMA),
      example: { spender: ['0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'], value: { max: '1000' } },
    }),
    Transform(({ value }: { value: unknown }) => withExactBounds(value)),
    OptionalMember(),
    validationRule(
      'isFieldConstraints',
      (value) => faultOf(value) === undefined,
      (value) => `$property ${faultOf(value) ?? ''}`,
    ),
  );
}

/** Describes a fault in constraints, to be put after their name; undefined if they are valid. */
function faultOf(fields: unknown): string | undefined {
  if (!isObject(fields)) return 'must be an object';
  const entries = Object.entries(fields);
  if (entries.length === 0 || entries.length > MAX_FIELDS)
    return `must name 1 to ${MAX_FIELDS} members of the message`;
  for (const [name, constraint] of entries) {
    if (!EIP712_NAME.test(name))
      return 'must be named by members of the message: identifiers of at most 128 characters';
    const fault = constraintFault(constraint);
    if (fault !== undefined) return `must give ${name} as ${fault}`;
  }
  return undefined;
}

function constraintFault(constraint: unknown): string | undefined {
  if (Array.isArray(constraint)) {
    if (constraint.length === 0 || constraint.length > MAX_VALUES)
      return `a list of 1 to ${MAX_VALUES} values`;
    return constraint.map(valueFault).find((fault) => fault !== undefined);
  }
  return isObject(constraint) ? rangeFault(constraint) : valueFault(constraint);
}

function valueFault(value: unknown): string | undefined {
  const isValue =
    typeof value === 'boolean' ||
    Number.isSafeInteger(value) ||
    (typeof value === 'string' && value.length <= MAX_TEXT);
  if (!isValue)
    return `a string of at most ${MAX_TEXT} characters, an integer, a boolean, a list of these, or {min, max}`;
  // Such a value would silently match no address.
  return ADDRESS.test(String(value)) && !isAddress(value)
    ? 'addresses with a valid checksum if the case is mixed'
    : undefined;
}

function rangeFault(range: Record<string, unknown>): string | undefined {
  const { min, max, ...others } = range;
  const given = [min, max].filter((bound) => bound !== undefined);
  const bounds = given.map(parseBound);
  if (Object.keys(others).length > 0 || given.length === 0 || bounds.includes(undefined))
    return '{min, max}, one of them at least, each a JSON integer or a decimal string of 256 bits';
  const [low, high] = bounds;
  return low !== undefined && high !== undefined && low > high
    ? 'a min that is not above its max'
    : undefined;
}

function parseBound(bound: unknown): bigint | undefined {
  const integer = parseSignedInteger(bound);
  return integer !== undefined && integer >= INT256_MIN && integer <= UINT256_MAX ? integer : undefined;
}

/** Converts bounds to the form in which amounts are stored; other values do not change. */
function withExactBounds(fields: unknown): unknown {
  if (!isObject(fields)) return fields;
  return mapValues(fields, (each) => (isObject(each) ? mapValues(each, exactBound) : each));
}

function exactBound(bound: unknown): unknown {
  const integer = parseBound(bound);
  return integer === undefined ? bound : toJsonInteger(integer);
}

function mapValues(object: Record<string, unknown>, map: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
