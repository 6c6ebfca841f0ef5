import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsOneOf, IsOptionalButNotNull } from '../../common/validation/fields';
import { MESSAGE_ENCODINGS, type MessageEncoding } from '../../chains/evm/personal-message';

/** Text as wallets show it to people, or raw bytes. */
export class SignMessageDto {
  /** Text, or hex digits; up to 256 KiB of bytes. It may be empty. */
  @ApiProperty({ example: 'Some data' })
  @IsString({ message: '$property must be a string' })
  message!: string;

  /** `utf8` signs the text, `hex` the bytes of the digits (an even number, either case, optional `0x`). */
  @ApiPropertyOptional({
    type: String,
    pattern: `^(${MESSAGE_ENCODINGS.join('|')})$`,
    default: 'utf8',
  })
  @IsOptionalButNotNull()
  @IsOneOf(MESSAGE_ENCODINGS)
  encoding: MessageEncoding = 'utf8';
}
