import { Injectable } from '@nestjs/common';
import { NotificationEvents } from '../notifications/events/notification-events';
import type { ActingRelayer } from '../relayers/relayer.entity';
import type { AccountNonceEntity } from './account-nonce.entity';
import type { Repair } from './transaction.metrics';

/** A repair; the kinds are those in the metric `nonce_repairs_total`. */
export type NonceRepaired =
  /** The nonce of the ledger, or of one request, was changed. */
  | { kind: Extract<Repair, 'raised' | 'lowered' | 'reassigned'>; from: number; to: number }
  /** Nonces without an open owner were filled or sent again, or the attempt that used one had been lost. */
  | { kind: Extract<Repair, 'gap_filled' | 'resent' | 'adopted'>; nonces: readonly number[] };

/** Records `relayer_nonce_repaired`, in the repair's unit of work if there is one. */
@Injectable()
export class NonceEvents {
  constructor(private readonly events: NotificationEvents) {}

  async record(
    { address, chainId }: Pick<AccountNonceEntity, 'address' | 'chainId'>,
    { id, notificationId }: Pick<ActingRelayer, 'id' | 'notificationId'>,
    repaired: NonceRepaired,
  ): Promise<void> {
    if (notificationId === null) return;
    const payload = {
      payload_type: 'relayer_nonce_repaired',
      relayer_id: id,
      address,
      chain_id: Number(chainId),
      ...{ from: null, to: null, nonces: [] },
      ...repaired,
    };
    await this.events.record(notificationId, 'relayer_nonce_repaired', [payload], { relayerId: id });
  }
}
