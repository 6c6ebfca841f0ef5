import { ApiProperty } from '@nestjs/swagger';
import { toSignatureResponse } from '../signature.response';
import type { SignedTransaction } from './raw-transactions.service';

/** A signed transaction, not sent. */
export class SignedTransactionResponse {
  /** The parameter of `eth_sendRawTransaction`: lower-case hex with `0x`. */
  @ApiProperty({
    pattern: '^0x([0-9a-f]{2})+$',
    example:
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  })
  signed_transaction!: string;

  /** The transaction hash: keccak256 of `signed_transaction`. */
  @ApiProperty({
    pattern: '^0x[0-9a-f]{64}$',
    example: '0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788',
  })
  hash!: string;

  /** r, s and v (27 or 28 for every type) one after the other, without `0x`, over the hash of the unsigned transaction. */
  @ApiProperty({
    pattern: '^[0-9a-f]{128}(1b|1c)$',
    example:
      '28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa63627667cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d831b',
  })
  signature!: string;
}

export function toSignedTransactionResponse({
  serialized,
  hash,
  signature,
}: SignedTransaction): SignedTransactionResponse {
  return {
    signed_transaction: `0x${serialized.toString('hex')}`,
    hash,
    signature: toSignatureResponse(signature).sig,
  };
}
