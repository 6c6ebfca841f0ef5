import { ApiProperty } from '@nestjs/swagger';
import { IsDateTime } from '../../../common/validation/date-time.rule';

/** Which dead deliveries to replay. */
export class ReplayDeliveriesDto {
  /** Those that were made at this time (RFC 3339) or later. */
  @ApiProperty({ type: String, format: 'date-time', example: '2026-01-31T12:00:00Z' })
  @IsDateTime()
  since!: string;
}
