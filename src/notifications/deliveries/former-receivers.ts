import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnModuleDestroy } from '@nestjs/common';
import { SlotQueue } from '../../background/slot-queue';
import { GroupSlots } from '../../background/slots';
import { causeOf } from '../../common/errors/error-cause';
import { overloaded } from '../../common/errors/retry-later.error';
import { outsideRequests } from '../../common/http/request-context';
import { currentTrace, inTrace } from '../../common/tracing/spans';
import { UnitOfWork } from '../../database/unit-of-work';
import type { EventPayload, NotificationEvent } from '../events/notification-event';
import type { NotificationEntity } from '../notification.entity';
import type { DeliveryFailure } from './delivery-failure';
import { DeliverySender, type Message } from './delivery-sender';
import { hostOf, Receivers } from './receivers';

/** The delays before the attempts, in milliseconds. */
const PAUSES_MS = [0, 5_000, 30_000];
/** Attempts in progress to former receivers; further ones wait. @limit Webhooks */
const MAX_IN_PROGRESS = 100;
/** Attempts in progress to former receivers at one host; further ones wait. @limit Webhooks */
const MAX_PER_HOST = 5;
/** Unfinished messages to former receivers in a process; a change that needs another one gets 503. @limit Webhooks */
const MAX_UNFINISHED = 1000;
/** Unfinished messages to former receivers at one host; a change that needs another one gets 503. @limit Webhooks */
const MAX_UNFINISHED_PER_HOST = 100;

/**
 * Sends a final event to the receiver that a notification had before its URL changed, its key was removed, or it was
 * deleted. This cannot be a row in `deliveries`, because those are sent to the notification in its current state. So
 * the instance that made the change makes up to three attempts; they end if it stops. No message is dropped because of
 * the others: otherwise changes of other notifications could hide one.
 */
@Injectable()
export class FormerReceivers implements OnModuleDestroy {
  private readonly logger = new Logger(FormerReceivers.name);
  private readonly cutOff = new AbortController();
  private readonly attempts = new SlotQueue(
    new GroupSlots<string>(MAX_IN_PROGRESS, MAX_PER_HOST, (host) => host),
  );
  /** With the hosts of their receivers. */
  private readonly unfinished = new Map<Message, string>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly receivers: Receivers,
    private readonly sender: DeliverySender,
  ) {
    // Every unfinished message adds a listener; their number is limited.
    setMaxListeners(0, this.cutOff.signal);
  }

  onModuleDestroy(): void {
    this.cutOff.abort();
    this.attempts.stop(new Error('the service stopped'));
  }

  /**
   * Sends once the current unit of work is committed.
   *
   * @param notification its state before the change
   * @throws DomainError `overloaded` if too many messages are unfinished; then the change must not be made
   */
  send(notification: NotificationEntity, event: NotificationEvent, payload: EventPayload): void {
    const message: Message = {
      id: randomUUID(),
      notificationId: notification.id,
      notification: this.receivers.receiverOf(notification),
      event,
      payload,
      createdAt: new Date(),
    };
    this.assertRoomFor(message);
    const trace = currentTrace();
    this.unitOfWork.afterCommit(() => {
      outsideRequests(() => void inTrace(trace, () => this.deliver(message)));
    });
  }

  /** Changes that are made at the same moment may exceed the limits by one each. @throws DomainError `overloaded` */
  private assertRoomFor(message: Message): void {
    const host = hostOf(message.notification.url);
    const atHost = [...this.unfinished.values()].filter((other) => other === host);
    if (atHost.length >= MAX_UNFINISHED_PER_HOST)
      throw overloaded(
        `too many former receivers at the host of notification '${message.notificationId}' have not responded yet`,
      );
    if (this.unfinished.size >= MAX_UNFINISHED)
      throw overloaded('too many former receivers of notifications have not responded yet');
  }

  private async deliver(message: Message): Promise<void> {
    const host = hostOf(message.notification.url);
    this.unfinished.set(message, host);
    let failure: DeliveryFailure | null = null;
    try {
      for (const pause of PAUSES_MS) {
        await sleep(pause, undefined, { ref: false, signal: this.cutOff.signal });
        failure = await this.attempts.run(host, () => this.attempt(message));
        if (failure === null) return;
      }
      this.report(message, failure ?? '');
    } catch (error) {
      this.report(message, this.cutOff.signal.aborted ? 'the service stopped' : causeOf(error));
    } finally {
      this.unfinished.delete(message);
    }
  }

  private async attempt(message: Message): Promise<DeliveryFailure | null> {
    const { failure } = await this.sender.send(message, this.cutOff.signal);
    return failure;
  }

  private report({ notificationId, event }: Message, cause: string): void {
    this.logger.warn('A former receiver did not accept an event', {
      notification: notificationId,
      event,
      cause,
    });
  }
}
