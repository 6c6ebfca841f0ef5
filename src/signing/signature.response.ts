import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { DigestSignature } from '../chains/evm/digest-signature';

/** A recoverable secp256k1 signature in lower-case hex without `0x`; s is in the lower half of the order. */
export class SignatureResponse {
  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    example: '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d',
  })
  r!: string;

  @ApiProperty({
    pattern: '^[0-9a-f]{64}$',
    example: '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562',
  })
  s!: string;

  /** r, s and v one after the other. */
  @ApiProperty({
    pattern: '^[0-9a-f]{128}(1b|1c)$',
    example:
      '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
  })
  sig!: string;

  @ApiProperty({ type: 'integer', minimum: 27, maximum: 28, example: 28 })
  v!: 27 | 28;

  /** The digest that was signed, in lower-case hex without `0x`. Present if the request had full typed data. */
  @ApiPropertyOptional({
    pattern: '^[0-9a-f]{64}$',
    example: 'be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  })
  digest?: string;
}

export function toSignatureResponse({ r, s, v }: DigestSignature): SignatureResponse {
  return { r, s, sig: r + s + v.toString(16), v };
}
