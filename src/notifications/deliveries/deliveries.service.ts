import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, LessThanOrEqual, Not } from 'typeorm';
import type { AppConfig, WebhookSettings } from '../../config/app-config';
import { isForeignKeyViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import { DeliveryAttemptEntity } from './delivery-attempt.entity';
import type { AttemptResult } from './attempt-result';
import { DeliveryEntity, type DueDelivery, type FinalState } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import { ReceiverHealth } from './receiver-health';
import { Receivers } from './receivers';
import { nextAttemptAt } from './retry-schedule';

/** A delivery that is this instance's to attempt until `lease` passes, as it was when it was claimed. */
export interface ClaimedDelivery {
  delivery: DueDelivery;
  lease: Date;
}

/** What has come of an attempt at a delivery that was claimed. */
export interface FinishedAttempt extends ClaimedDelivery {
  result: AttemptResult;
}

/** Where deliveries stand, in the database: whose turn it is, and what came of it. */
@Injectable()
export class DeliveriesService {
  private readonly settings: WebhookSettings;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly receivers: Receivers,
    private readonly health: ReceiverHealth,
    private readonly metrics: DeliveryMetrics,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('webhooks', { infer: true });
  }

  /** Deliveries that are due, oldest first; without those for the given notifications. Nothing is claimed. */
  async due(limit: number, without: readonly string[]): Promise<DueDelivery[]> {
    const due = await this.deliveries.find({
      where: {
        nextAttemptAt: LessThanOrEqual(new Date()),
        ...(without.length > 0 && { notificationId: Not(In([...without])) }),
      },
      order: { nextAttemptAt: 'ASC' },
      take: limit,
    });
    return this.receivers.attach(due);
  }

  /** Those of the deliveries that are due. */
  async dueAmong(ids: readonly string[]): Promise<DueDelivery[]> {
    const where = { id: In(ids), nextAttemptAt: LessThanOrEqual(new Date()) };
    return this.receivers.attach(await this.deliveries.find({ where }));
  }

  /** Takes those of the deliveries that nobody else has taken since they were read. */
  async claim(due: readonly DueDelivery[]): Promise<ClaimedDelivery[]> {
    if (due.length === 0) return [];
    const lease = new Date(Date.now() + this.settings.leaseMs);
    return this.unitOfWork.run(async () => {
      const ids = due.map(({ id }) => id);
      const still = await this.deliveries.find({
        select: { id: true, attempts: true, giveUpAt: true },
        where: { id: In(ids), nextAttemptAt: LessThanOrEqual(new Date()) },
        ...(this.unitOfWork.locksRows && { lock: { mode: 'pessimistic_write', onLocked: 'skip_locked' } }),
      });
      if (still.length === 0) return [];
      await this.deliveries.update({ id: In(still.map(({ id }) => id)) }, { nextAttemptAt: lease });
      const now = new Map(still.map((delivery) => [delivery.id, delivery]));
      return due.flatMap((delivery) => {
        const current = now.get(delivery.id);
        if (!current) return [];
        const { attempts, giveUpAt } = current;
        return [{ delivery: Object.assign(delivery, { attempts, giveUpAt }), lease }];
      });
    });
  }

  /**
   * Keeps what attempts have come to, and what follows for their deliveries; of a delivery that somebody else has
   * attempted or replayed meanwhile the attempt alone.
   */
  async note(attempts: readonly FinishedAttempt[]): Promise<void> {
    try {
      await this.unitOfWork.run(async () => {
        for (const attempt of attempts) await this.keepOutcome(attempt);
        await this.unitOfWork.repository(DeliveryAttemptEntity).insert(attempts.map(rowOf));
        await this.health.keep(
          receiversOf(attempts.filter(({ result }) => result.failure === null)),
          receiversOf(attempts.filter(({ result }) => result.failure !== null)),
        );
      });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      // A notification was deleted, and its deliveries with it.
      if (attempts.length > 1) for (const attempt of attempts) await this.note([attempt]);
    }
  }

  /** Gives a claim back that is not used. */
  async release({ delivery, lease }: ClaimedDelivery): Promise<void> {
    await this.deliveries.update({ id: delivery.id, nextAttemptAt: lease }, { nextAttemptAt: new Date() });
  }

  private async keepOutcome({ delivery, lease, result }: FinishedAttempt): Promise<void> {
    const { failure, status, retryAfterMs } = result;
    const attempts = delivery.attempts + 1;
    const at = new Date();
    const failed = { at, attempts, giveUpAt: delivery.giveUpAt, retryAfterMs };
    // One that is switched off is called for what somebody asks for, to see whether it is back.
    const isOver = failure === null || failure === 'gone' || delivery.notification.switchedOffAt !== null;
    const next = isOver ? null : nextAttemptAt(failed, this.settings, Math.random());
    const state: FinalState = failure === null ? 'delivered' : 'dead';
    const outcome = {
      attempts,
      lastStatus: status,
      lastFailure: failure,
      nextAttemptAt: next,
      ...(next === null && { state, finishedAt: at }),
    };
    const { id } = delivery;
    let { affected } = await this.deliveries.update({ id, nextAttemptAt: lease }, outcome);
    if (affected === 0 && failure === null) {
      // It was taken while its receiver was being switched off for others that were not.
      const givenUp = {
        id,
        attempts: delivery.attempts,
        state: 'dead',
        lastFailure: 'switched_off',
      } as const;
      ({ affected } = await this.deliveries.update(givenUp, outcome));
    }
    if (affected && next === null) this.metrics.countEnded(delivery.event, state);
  }

  private get deliveries() {
    return this.unitOfWork.repository(DeliveryEntity);
  }
}

function rowOf({ delivery, result }: FinishedAttempt): Omit<DeliveryAttemptEntity, 'delivery'> {
  const { startedAt, durationMs, status, failure, answer } = result;
  return { id: randomUUID(), deliveryId: delivery.id, startedAt, durationMs, status, failure, answer };
}

/** Ids of the notifications, and when the first of their attempts began. */
function receiversOf(attempts: readonly FinishedAttempt[]): Map<string, Date> {
  const receivers = new Map<string, Date>();
  for (const { delivery, result } of attempts) {
    const earlier = receivers.get(delivery.notificationId);
    if (!earlier || result.startedAt < earlier) receivers.set(delivery.notificationId, result.startedAt);
  }
  return receivers;
}
