import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../secrets/secret-cipher';
import type { EventPayload, NotificationEvent } from '../notifications/events/notification-event';
import { NotificationEvents } from '../notifications/events/notification-events';
import { openCustomRpcUrls } from './custom-rpc-urls';
import { describeReason, type DisabledReason } from './disabled-reason';
import { toRelayerResponse } from './dto/relayer.response';
import type { RelayerEntity } from './relayer.entity';

/** Records the events of a relayer in the unit of work of the change, with the resulting relayer. */
@Injectable()
export class RelayerEvents {
  constructor(
    private readonly cipher: SecretCipher,
    private readonly events: NotificationEvents,
  ) {}

  disabled(relayer: RelayerEntity, reason: DisabledReason): Promise<void> {
    return this.record('relayer_state_update', relayer, 'relayer_disabled', {
      disable_reason: describeReason(reason),
    });
  }

  /** @param failedChecks the number of checks that failed before one passed */
  enabled(relayer: RelayerEntity, failedChecks: number): Promise<void> {
    return this.record('relayer_state_update', relayer, 'relayer_enabled', { retry_count: failedChecks });
  }

  /**
   * Records that the balance has fallen below the threshold in the policies. @param balance in wei, like `threshold`
   */
  lowBalance(relayer: RelayerEntity, balance: bigint, threshold: bigint): Promise<void> {
    return this.record('relayer_low_balance', relayer, 'relayer_low_balance', {
      balance: balance.toString(),
      threshold: threshold.toString(),
    });
  }

  pausedOrResumed(relayer: RelayerEntity): Promise<void> {
    return this.record(
      'relayer_state_update',
      relayer,
      relayer.paused ? 'relayer_paused' : 'relayer_resumed',
    );
  }

  updated(relayer: RelayerEntity): Promise<void> {
    return this.record('relayer_update', relayer, 'relayer');
  }

  /**
   * Informs the former notification that it receives no more events about this relayer, which now has another
   * notification or none, regardless of the events that it lists.
   */
  unlinked(before: RelayerEntity, after: RelayerEntity): Promise<void> {
    return this.record('relayer_update', after, 'relayer_unlinked', {}, before.notificationId, true);
  }

  /** Regardless of the events that the notification lists. @param relayer its last state */
  deleted(relayer: RelayerEntity): Promise<void> {
    return this.record('relayer_deleted', relayer, 'relayer_deleted', {}, relayer.notificationId, true);
  }

  private async record(
    event: NotificationEvent,
    relayer: RelayerEntity,
    payload_type: string,
    details: object = {},
    receiver = relayer.notificationId,
    areLast = false,
  ): Promise<void> {
    if (receiver === null) return;
    const payload = { ...this.payloadOf(relayer, payload_type), ...details };
    await this.events.record(receiver, event, [payload], { relayerId: relayer.id, areLast });
  }

  private payloadOf(relayer: RelayerEntity, payload_type: string): EventPayload {
    return { payload_type, relayer: toRelayerResponse(relayer, openCustomRpcUrls(this.cipher, relayer)) };
  }
}
