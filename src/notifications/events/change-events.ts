import { Injectable } from '@nestjs/common';
import { ChangeListeners } from '../../approvals/change-listeners';
import type { ChangeEntity } from '../../approvals/change.entity';
import { toPendingChangeResponse } from '../../approvals/dto/pending-change.response';
import { NotificationEvents } from './notification-events';

/**
 * A change in `change_update`, in JSON; of a larger one, `request` is empty, because each notification gets a copy.
 * @limit Webhooks
 */
const MAX_CHANGE_BYTES = 16 * 1024;

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

  private record(entity: Readonly<ChangeEntity>): Promise<void> {
    const change = toPendingChangeResponse(entity);
    if (Buffer.byteLength(JSON.stringify(change)) > MAX_CHANGE_BYTES) change.request = {};
    const payload = { payload_type: 'change', change };
    return this.events.recordForSubscribers('change_update', payload, { relayerId: entity.relayerId });
  }
}
