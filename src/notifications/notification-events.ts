import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work';
import { NotificationEventEntity } from './notification-event.entity';

/** What a notification can be told of. */
export type NotificationEvent = 'relayer_state_update';

/** The payload of an event: `payload_type`, and what belongs to it. */
export interface EventPayload {
  payload_type: string;
  [member: string]: unknown;
}

/** The durable record of what notifications are to be told. */
@Injectable()
export class NotificationEvents {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Records an event, to be called in the unit of work of the change that it tells of: either both are kept or none.
   */
  async record(notificationId: string, event: NotificationEvent, payload: EventPayload): Promise<void> {
    await this.unitOfWork.repository(NotificationEventEntity).insert({
      id: randomUUID(),
      notificationId,
      event,
      payload,
      createdAt: new Date(),
    });
  }
}
