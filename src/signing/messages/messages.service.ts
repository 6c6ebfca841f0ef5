import { Injectable } from '@nestjs/common';
import type { DigestSignature } from '../../chains/evm/digest-signature';
import { SigningFlow } from '../signing-flow';
import { messageBytes, personalMessageDigest } from '../../chains/evm/personal-message';
import type { SignMessageDto } from './sign-message.dto';

/** Signs messages. */
@Injectable()
export class MessagesService {
  constructor(private readonly flow: SigningFlow) {}

  /**
   * Signs a message (EIP-191), as `personal_sign` does.
   *
   * @throws DomainError as {@link SigningFlow.sign}, and `invalid_request` for an invalid message
   */
  sign(relayerId: string, { message: text, encoding }: SignMessageDto): Promise<DigestSignature> {
    const message = messageBytes(text, encoding);
    const digest = personalMessageDigest(message);
    return this.flow.sign(relayerId, { digest, subject: { form: 'message', message } });
  }
}
