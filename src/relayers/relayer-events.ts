import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../secrets/secret-cipher';
import type { EventPayload, NotificationEvent } from '../notifications/events/notification-event';
import { NotificationEvents } from '../notifications/events/notification-events';
import { openCustomRpcUrls } from './custom-rpc-urls';
import { describeReason, type DisabledReason } from './disabled-reason';
import { type RelayerResponse, toRelayerResponse } from './dto/relayer.response';
import type { RelayerEntity } from './relayer.entity';

/** Tells the notification of a relayer what happened to it, in the unit of work of the change; the relayer is as it is then. */
@Injectable()
export class RelayerEvents {
  constructor(
    private readonly cipher: SecretCipher,
    private readonly events: NotificationEvents,
  ) {}

  disabled(relayer: RelayerEntity, reason: DisabledReason): Promise<void> {
    const disable_reason = describeReason(reason);
    return this.record('relayer_state_update', relayer, (answer) => ({
      payload_type: 'relayer_disabled',
      relayer: answer,
      disable_reason,
    }));
  }

  /** @param failedChecks how many checks failed before one passed */
  enabled(relayer: RelayerEntity, failedChecks: number): Promise<void> {
    return this.record('relayer_state_update', relayer, (answer) => ({
      payload_type: 'relayer_enabled',
      relayer: answer,
      retry_count: failedChecks,
    }));
  }

  /** Somebody paused it, or had it go on. */
  pausedOrResumed(relayer: RelayerEntity): Promise<void> {
    const payload_type = relayer.paused ? 'relayer_paused' : 'relayer_resumed';
    return this.record('relayer_state_update', relayer, (answer) => ({ payload_type, relayer: answer }));
  }

  /** Somebody changed what it is or may do. */
  updated(relayer: RelayerEntity): Promise<void> {
    return this.record('relayer_update', relayer, (answer) => ({ payload_type: 'relayer', relayer: answer }));
  }

  private async record(
    event: NotificationEvent,
    relayer: RelayerEntity,
    payload: (answer: RelayerResponse) => EventPayload,
  ): Promise<void> {
    if (relayer.notificationId === null) return;
    const answer = toRelayerResponse(relayer, openCustomRpcUrls(this.cipher, relayer));
    await this.events.record(relayer.notificationId, event, [payload(answer)]);
  }
}
