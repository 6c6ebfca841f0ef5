import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { NOTIFICATION_EVENTS } from '../events/notification-event';

/** Events that can be subscribed to; every notification gets `test`. */
const CHOICES = NOTIFICATION_EVENTS.filter((event) => event !== 'test');

/** OpenAPI of a list of events. */
export const EVENT_LIST_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  items: { type: 'string', enum: CHOICES },
  minItems: 1,
  nullable: true,
  example: ['relayer_state_update'],
};

/** Names of events, each once. */
export function IsEventList(): PropertyDecorator {
  return applyDecorators(
    IsArray(),
    ArrayNotEmpty(),
    IsIn(CHOICES, { each: true, message: `each item of $property must be one of ${CHOICES.join(', ')}` }),
    ArrayUnique({ message: '$property must not hold an item twice' }),
  );
}
