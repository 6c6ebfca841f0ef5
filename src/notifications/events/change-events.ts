import { Injectable } from '@nestjs/common';
import { ChangeListeners } from '../../approvals/change-listeners';
import type { ChangeEntity } from '../../approvals/change.entity';
import { toPendingChangeResponse } from '../../approvals/dto/pending-change.response';
import { NotificationEvents } from './notification-events';

/**
 * Records `change_update` when a change begins to wait for approval and when it ends, for notifications that list this
 * event.
 */
@Injectable()
export class ChangeEvents {
  constructor(
    private readonly events: NotificationEvents,
    listeners: ChangeListeners,
  ) {
    listeners.add((change) => this.record(change));
  }

  private record(change: Readonly<ChangeEntity>): Promise<void> {
    const payload = { payload_type: 'change', change: toPendingChangeResponse(change) };
    return this.events.recordForSubscribers('change_update', payload, { relayerId: change.relayerId });
  }
}
