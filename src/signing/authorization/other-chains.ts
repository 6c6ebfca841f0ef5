import { isReachable } from '../../access/relayer-reach';
import { DomainError } from '../../common/errors/domain-error';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { authorizeSignature, type SignatureSubject } from './authorize-signature';

/**
 * Authorizes a signature that no chain id binds to the relayer's chain: two hashes, typed data whose domain has no chain
 * id, and messages. It is valid for the address on every chain, so each of its relayers must allow it, whether the caller
 * reaches it or not.
 *
 * @param others the other relayers with the address
 * @throws DomainError `relayer_paused`, `typed_data_not_allowed`, `message_not_allowed`
 */
export function authorizeOnOtherChains(others: readonly ActingRelayer[], subject: SignatureSubject): void {
  for (const other of others) {
    if (other.paused) throw refusal(other, 'relayer_paused', 'Relayer paused', 'it is paused');
    try {
      authorizeSignature(other, subject);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw refusal(other, error.code, error.message, error.detail);
    }
  }
}

/** Of a relayer that the caller does not reach, only the kind of the refusal is shown: not its id, nor its rules. */
function refusal(
  other: ActingRelayer,
  code: DomainError['code'],
  message: string,
  reason: string,
): DomainError {
  const [name, because] = isReachable(other)
    ? [`relayer '${other.id}'`, `: ${reason}`]
    : ['another relayer', ''];
  return new DomainError(
    code,
    message,
    `without a chain id the signature is valid on every chain, and ${name}, which has the same address, does not allow it${because}`,
  );
}
