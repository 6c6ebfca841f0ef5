import { ApiProperty } from '@nestjs/swagger';
import { IsHash32 } from '../../common/validation/fields';

const HASH32 = '^(0x)?[0-9a-fA-F]{64}$';

/** EIP-712 data of which the caller has computed the two hashes. */
export class SignTypedDataDto {
  /** hashStruct of the domain, 32 bytes of hex. */
  @ApiProperty({
    pattern: HASH32,
    example: '0xf2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  })
  @IsHash32()
  domain_separator!: string;

  /** hashStruct of the message, 32 bytes of hex. */
  @ApiProperty({
    pattern: HASH32,
    example: '0xc52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
  })
  @IsHash32()
  hash_struct_message!: string;
}
