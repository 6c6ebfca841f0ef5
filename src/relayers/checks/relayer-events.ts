import { Injectable } from '@nestjs/common';
import { type EventPayload, NotificationEvents } from '../../notifications/notification-events';
import { type DisabledReason, singleReasons } from '../disabled-reason';
import { toRelayerAnswer } from '../dto/relayer.answer';
import type { RelayerEntity } from '../relayer.entity';
import { RelayersService } from '../relayers.service';

/** Tells the notification of a relayer what happened to it, in the unit of work of the change. */
@Injectable()
export class RelayerEvents {
  constructor(
    private readonly relayers: RelayersService,
    private readonly events: NotificationEvents,
  ) {}

  disabled(id: string, reason: DisabledReason): Promise<void> {
    const disable_reason = singleReasons(reason)
      .map(({ details }) => details)
      .join(', ');
    return this.record(id, (relayer) => ({ payload_type: 'relayer_disabled', relayer, disable_reason }));
  }

  /** @param failedChecks how many checks failed before one passed */
  enabled(id: string, failedChecks: number): Promise<void> {
    return this.record(id, (relayer) => ({
      payload_type: 'relayer_enabled',
      relayer,
      retry_count: failedChecks,
    }));
  }

  private async record(id: string, payload: (relayer: object) => EventPayload): Promise<void> {
    const relayer: RelayerEntity = await this.relayers.require(id);
    if (relayer.notificationId === null) return;
    const answer = toRelayerAnswer(relayer, this.relayers.rpcUrlsOf(relayer));
    await this.events.record(relayer.notificationId, 'relayer_state_update', payload(answer));
  }
}
