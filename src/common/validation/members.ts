import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { parseBigInteger, toJsonInteger } from './big-integer';
import { IDENTIFIER, IsIdentifier } from './fields';

/**
 * Decorators for members that may be omitted or null: each one checks one kind of member and documents it.
 */

export function OptionalBoolean(example: boolean): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: Boolean, nullable: true, example }),
    IsOptional(),
    IsBoolean(),
  );
}

/** A JSON integer from `min` to `max`. */
export function OptionalInteger(min: number, max: number, example?: number): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', nullable: true, minimum: min, maximum: max, example }),
    IsOptional(),
    IsInt(),
    Min(min),
    Max(max),
  );
}

/** The id of a resource. */
export function OptionalIdentifier(example: string | null): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, pattern: IDENTIFIER.source, example }),
    IsOptional(),
    IsIdentifier(),
  );
}

/** A number from 0 to `max`, which may be a decimal fraction. */
export function IsNumberUpTo(max: number): PropertyDecorator {
  return applyDecorators(
    IsNumber({ allowNaN: false, allowInfinity: false }, { message: '$property must be a number' }),
    Min(0),
    Max(max),
  );
}

/** Converts an amount to its exact form, a JSON integer or a decimal string; other values do not change. */
export const ExactAmount = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const amount = parseBigInteger(value);
    return amount === undefined ? value : toJsonInteger(amount);
  });
