import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { OptionalBody } from '../../../common/validation/optional-body.decorator';

const MAX_OVERLAP_SECONDS = 2_592_000;

@OptionalBody()
export class RotateApiKeyDto {
  /** How long the current secret stays valid in addition to the new one. 0 ends it at once, rejects pending changes that the key has requested, and withdraws its approvals of others. Default: `API_KEY_OVERLAP_SECONDS`. */
  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    example: 600,
  })
  @IsOptional()
  @Max(MAX_OVERLAP_SECONDS)
  @Min(0)
  @IsInt()
  overlap_seconds?: number | null;
}
