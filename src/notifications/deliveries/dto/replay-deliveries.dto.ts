import { ApiProperty } from '@nestjs/swagger';
import { buildMessage, ValidateBy } from 'class-validator';
import { DATE_TIME_RULE, parseDateTime } from '../../../common/validation/rfc3339';

function IsDateTime(): PropertyDecorator {
  return ValidateBy({
    name: 'isDateTime',
    validator: {
      validate: (value: unknown) => parseDateTime(value) !== undefined,
      defaultMessage: buildMessage((each) => `${each}$property ${DATE_TIME_RULE}`),
    },
  });
}

/** Which dead deliveries to replay. */
export class ReplayDeliveriesDto {
  /** Those that were made at this time (RFC 3339) or later. */
  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T12:00:00Z' })
  @IsDateTime()
  since!: string;
}
