import { ApiProperty } from '@nestjs/swagger';
import { IsOneOf } from '../../common/validation/fields';

/** Which messages a relayer signs (EIP-191): none, those that are text, or any bytes. */
export const MESSAGE_KINDS = ['none', 'text', 'any'] as const;

/** Which messages a relayer signs. */
export class MessagePolicy {
  /**
   * `text` is printable UTF-8 whose length is not 32 bytes: the hash of something else, such as the transaction of a
   * Safe, could be searched for until it is printable.
   */
  @ApiProperty({ type: String, pattern: `^(${MESSAGE_KINDS.join('|')})$`, example: 'text' })
  @IsOneOf(MESSAGE_KINDS)
  allow!: (typeof MESSAGE_KINDS)[number];
}
