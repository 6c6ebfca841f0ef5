import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OptionalBody } from '../../common/validation/optional-body.decorator';
import { IsText, textSchema } from '../../common/validation/fields';

const REASON = { ...textSchema(1, 255), example: 'INC-142: signatures nobody asked for' };

export class FreezeSigningDto {
  /** Shown in the log, by GET and in every rejection of a signature. */
  @ApiProperty(REASON)
  @IsText(1, 255)
  reason!: string;
}

@OptionalBody()
export class UnfreezeSigningDto {
  /** For the log. */
  @ApiPropertyOptional({ ...REASON, nullable: true, example: 'INC-142: key replaced' })
  @IsOptional()
  @IsText(1, 255)
  reason?: string | null;
}
