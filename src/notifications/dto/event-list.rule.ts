import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { EVENT_CHOICES } from '../events/notification-event';

/** OpenAPI of a list of events. */
export const EVENT_LIST_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  items: { type: 'string', enum: EVENT_CHOICES },
  minItems: 1,
  nullable: true,
  example: ['relayer_state_update'],
};

/** Names of events, each once. */
export function IsEventList(): PropertyDecorator {
  return applyDecorators(
    IsArray(),
    ArrayNotEmpty(),
    IsIn(EVENT_CHOICES, {
      each: true,
      message: `each item of $property must be one of ${EVENT_CHOICES.join(', ')}`,
    }),
    ArrayUnique({ message: '$property must not hold an item twice' }),
  );
}
