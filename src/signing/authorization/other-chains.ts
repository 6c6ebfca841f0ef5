import { Injectable } from '@nestjs/common';
import { isReachable } from '../../access/relayer-reach';
import { DomainError } from '../../common/errors/domain-error';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { RelayersService, type SigningRelayer } from '../../relayers/relayers.service';
import { authorizeSignature, type SignatureSubject } from './authorize-signature';

/**
 * Authorizes signatures that no chain id binds to the relayer's chain: two hashes, typed data whose domain has no chain
 * id, and messages. They are valid for the address on every chain, so each of its relayers must allow them. Which relayers
 * the caller reaches does not matter.
 */
@Injectable()
export class OtherChains {
  constructor(private readonly relayers: RelayersService) {}

  /**
   * Undefined, without a promise, if no other relayer has the address, as is usual.
   *
   * @throws DomainError `relayer_paused`, `typed_data_not_allowed`, `message_not_allowed`; RowAlteredError
   */
  authorize(relayer: SigningRelayer, subject: SignatureSubject): Promise<void> | undefined {
    return this.relayers.hasOthers(relayer) ? this.authorizeByOthers(relayer, subject) : undefined;
  }

  private async authorizeByOthers(relayer: SigningRelayer, subject: SignatureSubject): Promise<void> {
    for (const other of await this.relayers.othersOf(relayer)) {
      if (other.paused) throw refusal(other, 'relayer_paused', 'Relayer paused', 'it is paused');
      try {
        authorizeSignature(other, subject);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        throw refusal(other, error.code, error.message, error.detail);
      }
    }
  }
}

/** To the caller, a relayer out of its reach does not exist, so neither its id nor its policies are named. */
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
