import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../secrets/secret-cipher';
import type { EventPayload, NotificationEvent } from '../notifications/events/notification-event';
import { NotificationEvents } from '../notifications/events/notification-events';
import { openCustomRpcUrls } from './custom-rpc-urls';
import { describeReason, type DisabledReason } from './disabled-reason';
import { type RelayerResponse, toRelayerResponse } from './dto/relayer.response';
import type { RelayerEntity } from './relayer.entity';

/** Records the events of a relayer in the unit of work of the change, with the resulting relayer. */
@Injectable()
export class RelayerEvents {
  constructor(
    private readonly cipher: SecretCipher,
    private readonly events: NotificationEvents,
  ) {}

  disabled(relayer: RelayerEntity, reason: DisabledReason): Promise<void> {
    const disable_reason = describeReason(reason);
    return this.record('relayer_state_update', relayer, (response) => ({
      payload_type: 'relayer_disabled',
      relayer: response,
      disable_reason,
    }));
  }

  /** @param failedChecks the number of checks that failed before one passed */
  enabled(relayer: RelayerEntity, failedChecks: number): Promise<void> {
    return this.record('relayer_state_update', relayer, (response) => ({
      payload_type: 'relayer_enabled',
      relayer: response,
      retry_count: failedChecks,
    }));
  }

  /**
   * Records that the balance has fallen below the threshold in the policies. @param balance in wei, like `threshold`
   */
  lowBalance(relayer: RelayerEntity, balance: bigint, threshold: bigint): Promise<void> {
    return this.record('relayer_low_balance', relayer, (response) => ({
      payload_type: 'relayer_low_balance',
      relayer: response,
      balance: balance.toString(),
      threshold: threshold.toString(),
    }));
  }

  pausedOrResumed(relayer: RelayerEntity): Promise<void> {
    const payload_type = relayer.paused ? 'relayer_paused' : 'relayer_resumed';
    return this.record('relayer_state_update', relayer, (response) => ({ payload_type, relayer: response }));
  }

  updated(relayer: RelayerEntity): Promise<void> {
    return this.record('relayer_update', relayer, (response) => ({
      payload_type: 'relayer',
      relayer: response,
    }));
  }

  /**
   * Informs the former notification that it receives no more events about this relayer, which now has another
   * notification or none.
   */
  async unlinked(before: RelayerEntity, after: RelayerEntity): Promise<void> {
    await this.recordFor(before.notificationId, 'relayer_update', after, (response) => ({
      payload_type: 'relayer_unlinked',
      relayer: response,
    }));
  }

  /** @param relayer its last state */
  deleted(relayer: RelayerEntity): Promise<void> {
    return this.record('relayer_deleted', relayer, (response) => ({
      payload_type: 'relayer_deleted',
      relayer: response,
    }));
  }

  private record(
    event: NotificationEvent,
    relayer: RelayerEntity,
    payload: (response: RelayerResponse) => EventPayload,
  ): Promise<void> {
    return this.recordFor(relayer.notificationId, event, relayer, payload);
  }

  private async recordFor(
    notificationId: string | null,
    event: NotificationEvent,
    relayer: RelayerEntity,
    payload: (response: RelayerResponse) => EventPayload,
  ): Promise<void> {
    if (notificationId === null) return;
    const response = toRelayerResponse(relayer, openCustomRpcUrls(this.cipher, relayer));
    await this.events.record(notificationId, event, [payload(response)], { relayerId: relayer.id });
  }
}
