import { ApiProperty } from '@nestjs/swagger';
import { DATE_TIME_SCHEMA } from '../../../common/openapi/schemas';
import { IsDateTime } from '../../../common/validation/date-time.rule';

/** Which dead deliveries to replay. */
export class ReplayDeliveriesDto {
  /** Only deliveries created at this time (RFC 3339) or later. */
  @ApiProperty({ ...DATE_TIME_SCHEMA, example: '2026-01-31T12:00:00Z' })
  @IsDateTime()
  since!: string;
}
