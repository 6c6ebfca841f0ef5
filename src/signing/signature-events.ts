import { Injectable } from '@nestjs/common';
import { NotificationEvents } from '../notifications/events/notification-events';
import type { ActingRelayer } from '../relayers/relayer.entity';

/** What was signed, as `signature_created` calls it. */
export type SignatureForm = 'typed_data' | 'typed_data_hashes' | 'message' | 'transaction';

export interface SignedDigest {
  form: SignatureForm;
  digest: Uint8Array;
}

/** Tells notifications that ask for it what relayers have signed: the form and the digest, never the content. */
@Injectable()
export class SignatureEvents {
  constructor(private readonly events: NotificationEvents) {}

  /** To be awaited before a signature is given away, so that none goes untold. */
  async record(
    { id, notificationId }: Pick<ActingRelayer, 'id' | 'notificationId'>,
    signed: readonly SignedDigest[],
  ): Promise<void> {
    if (notificationId === null) return;
    const payloads = signed.map(({ form, digest }) => ({
      payload_type: 'signature',
      relayer_id: id,
      form,
      digest: Buffer.from(digest).toString('hex'),
    }));
    await this.events.record(notificationId, 'signature_created', payloads);
  }
}
