import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length } from 'class-validator';

/** A statement to sign and book. */
export class BookEntryDto {
  @ApiProperty({ example: 'treasury' })
  @IsString()
  @Length(1, 36)
  relayer_id!: string;

  @ApiProperty({ minLength: 1, maxLength: 255, example: 'Invoice 42 is paid' })
  @IsString()
  @Length(1, 255)
  statement!: string;
}
