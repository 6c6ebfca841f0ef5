import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { ArrayNotEmpty, ArrayUnique, IsArray, ValidateBy } from 'class-validator';
import { enumSchema } from '../../common/openapi/schemas';
import { EVENT_CHOICES, eventChoices, NOTIFICATION_EVENTS } from '../events/notification-event';

const NOT_CHOSEN = NOTIFICATION_EVENTS.filter((event) => !EVENT_CHOICES.includes(event));

const CHOICE = {
  allOf: [enumSchema('NotificationEvent', NOTIFICATION_EVENTS)],
  not: { enum: NOT_CHOSEN },
};

/** The OpenAPI schema of a list of events. */
export const EVENT_LIST_SCHEMA: ApiPropertyOptions = {
  type: 'array',
  items: CHOICE,
  minItems: 1,
  uniqueItems: true,
  nullable: true,
  example: ['relayer_state_update'],
};

/** Distinct names of events. */
export function IsEventList(): PropertyDecorator {
  return applyDecorators(
    IsArray(),
    ArrayNotEmpty({ message: '$property must not be empty' }),
    ValidateBy(
      {
        name: 'isEvent',
        validator: {
          validate: (value: unknown) => (eventChoices() as unknown[]).includes(value),
          defaultMessage: () => `each item of $property must be one of ${eventChoices().join(', ')}`,
        },
      },
      { each: true },
    ),
    ArrayUnique({ message: '$property must not hold an item twice' }),
  );
}
