import { Injectable } from '@nestjs/common';
import type { SignatureForm } from '../lifecycle/lifecycle-events';
import { NotificationEvents } from '../notifications/events/notification-events';

/** A signed digest; the form is as in `signature_created`. */
export interface SignedDigest {
  form: SignatureForm;
  digest: Uint8Array;
}

/**
 * Records `signature_created` for notifications that subscribe to it: the form and the digest, but never the content.
 */
@Injectable()
export class SignatureEvents {
  constructor(private readonly events: NotificationEvents) {}

  /** Must be awaited before a signature is returned, so that every signature has its event. */
  async record(relayerId: string, notificationId: string, signed: readonly SignedDigest[]): Promise<void> {
    const payloads = signed.map(({ form, digest }) => ({
      payload_type: 'signature',
      relayer_id: relayerId,
      form,
      digest: Buffer.from(digest).toString('hex'),
    }));
    await this.events.record(notificationId, 'signature_created', payloads, { relayerId });
  }
}
