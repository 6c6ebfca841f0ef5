import { Injectable } from '@nestjs/common';
import { RelayersService } from '../../relayers/relayers.service';
import type { DigestSignature } from '../../signers/signer-provider';
import { SignersService } from '../../signers/signers.service';
import { SignatureEvents } from '../signature-events';
import { requireEvm } from '../evm-only';
import { messageBytes, personalMessageDigest } from './personal-message';
import type { SignMessageDto } from './sign-message.dto';

/** Messages that relayers sign. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly signers: SignersService,
    private readonly events: SignatureEvents,
  ) {}

  /**
   * Signs a message after EIP-191, as `personal_sign` does.
   *
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request`
   */
  async sign(relayerId: string, { message, encoding }: SignMessageDto): Promise<DigestSignature> {
    const relayer = await this.relayers.requireActive(relayerId);
    requireEvm(relayer, 'messages');
    const digest = personalMessageDigest(messageBytes(message, encoding));
    const signature = await this.signers.signDigest(relayer, digest);
    await this.events.record(relayer, [{ form: 'message', digest }]);
    return signature;
  }
}
