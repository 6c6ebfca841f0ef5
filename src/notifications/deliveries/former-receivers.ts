import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { causeOf } from '../../common/errors/error-cause';
import { outsideRequests } from '../../common/http/request-context';
import { currentTrace, inTrace } from '../../common/tracing/spans';
import { UnitOfWork } from '../../database/unit-of-work';
import type { EventPayload, NotificationEvent } from '../events/notification-event';
import type { NotificationEntity } from '../notification.entity';
import type { DeliveryFailure } from './delivery-failure';
import { DeliverySender, type Message } from './delivery-sender';
import { Receivers } from './receivers';

/** The delays before the attempts, in milliseconds. */
const PAUSES_MS = [0, 5_000, 30_000];
/** Messages to former receivers in progress; further ones are not sent. @limit Webhooks */
const MAX_IN_PROGRESS = 100;

/**
 * Sends a final event to the receiver that a notification had before its URL changed, its key was removed, or it was
 * deleted. This cannot be a row in `deliveries`, because those are sent to the notification in its current state. So
 * the instance that made the change makes up to three attempts; they end if it stops.
 */
@Injectable()
export class FormerReceivers implements OnModuleDestroy {
  private readonly logger = new Logger(FormerReceivers.name);
  private readonly cutOff = new AbortController();
  private inProgress = 0;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly receivers: Receivers,
    private readonly sender: DeliverySender,
  ) {
    // Every message in progress adds a listener; their number is limited.
    setMaxListeners(0, this.cutOff.signal);
  }

  onModuleDestroy(): void {
    this.cutOff.abort();
  }

  /** Sends once the current unit of work is committed. @param notification its state before the change */
  send(notification: NotificationEntity, event: NotificationEvent, payload: EventPayload): void {
    const message: Message = {
      id: randomUUID(),
      notificationId: notification.id,
      notification: this.receivers.receiverOf(notification),
      event,
      payload,
      createdAt: new Date(),
    };
    const trace = currentTrace();
    this.unitOfWork.afterCommit(() => {
      outsideRequests(() => void inTrace(trace, () => this.attempt(message)));
    });
  }

  private async attempt(message: Message): Promise<void> {
    if (this.inProgress >= MAX_IN_PROGRESS) {
      this.report(message, 'too many such messages');
      return;
    }
    this.inProgress += 1;
    let failure: DeliveryFailure | null = null;
    try {
      for (const pause of PAUSES_MS) {
        await sleep(pause, undefined, { ref: false, signal: this.cutOff.signal });
        ({ failure } = await this.sender.send(message, this.cutOff.signal));
        if (failure === null) return;
      }
      this.report(message, failure ?? '');
    } catch (error) {
      this.report(message, this.cutOff.signal.aborted ? 'the service stopped' : causeOf(error));
    } finally {
      this.inProgress -= 1;
    }
  }

  private report({ notificationId, event }: Message, cause: string): void {
    this.logger.warn('A former receiver did not accept an event', {
      notification: notificationId,
      event,
      cause,
    });
  }
}
