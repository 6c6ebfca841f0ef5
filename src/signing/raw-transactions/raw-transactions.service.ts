import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/errors/domain-error';
import { keccak256, keccak256Hex } from '../../chains/evm/keccak256';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { checkTransactionChain } from '../chain-of-relayer';
import { SigningFlow } from '../signing-flow';
import {
  readSerialized,
  serializeSigned,
  serializeUnsigned,
} from '../../chains/evm/transaction/serialized-transaction';
import { MAX_TRANSACTION_BYTES, readTransaction } from '../../chains/evm/transaction/unsigned-transaction';

export interface SignedTransaction {
  /** The serialized form that nodes accept. */
  serialized: Buffer;
  /** The keccak256 of the serialized form: `0x` and 64 hex digits. */
  hash: string;
  signature: DigestSignature;
}

/** Signs transactions without sending them. */
@Injectable()
export class RawTransactionsService {
  constructor(private readonly flow: SigningFlow) {}

  /**
   * Signs a transaction, given as JSON or in serialized form, for the relayer's network and within its policies.
   *
   * @throws DomainError as {@link SigningFlow.sign}, and `invalid_request` for an invalid transaction
   */
  async sign(relayerId: string, given: object | string): Promise<SignedTransaction> {
    const transaction = typeof given === 'string' ? readSerialized(given) : readTransaction(given);
    const unsigned = serializeUnsigned(transaction);
    if (unsigned.length > MAX_TRANSACTION_BYTES)
      throw invalidRequest(`transaction must not exceed ${MAX_TRANSACTION_BYTES} bytes`);
    const signature = await this.flow.sign(relayerId, {
      digest: keccak256(unsigned),
      subject: { form: 'transaction', transaction },
      checkChain: (chain) => checkTransactionChain(transaction.members.chain_id, chain),
    });
    const serialized = serializeSigned(transaction, signature);
    return { serialized, hash: keccak256Hex(serialized), signature };
  }
}
