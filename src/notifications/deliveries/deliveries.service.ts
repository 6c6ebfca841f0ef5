import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, IsNull, Not } from 'typeorm';
import { type Claim, LeasedRows } from '../../background/leased-rows';
import type { ClaimRequest } from '../../background/worker';
import { WorkerMetrics } from '../../background/worker.metrics';
import type { AppConfig, WebhookSettings } from '../../config/app-config';
import { isForeignKeyViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import { DeliveryAttemptEntity } from './delivery-attempt.entity';
import type { AttemptResult } from './attempt-result';
import { DeliveryEntity, type DueDelivery, type FinalState, type Receiver } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import type { Destination } from './delivery-slots';
import { ReceiverHealth } from './receiver-health';
import { hostOf, Receivers } from './receivers';
import { nextAttemptAt } from './retry-schedule';

/** A delivery that this instance has claimed, with its receiver. */
export type ClaimedDelivery = Claim<DueDelivery>;

/** The result of an attempt for a claimed delivery. */
export interface FinishedAttempt extends ClaimedDelivery {
  result: AttemptResult;
}

/** A due delivery, and its destination. */
export interface DeliveryCandidate extends Destination {
  id: string;
}

/** The state of deliveries in the database: which are due, and the results of their attempts. */
@Injectable()
export class DeliveriesService {
  private readonly settings: WebhookSettings;
  private readonly rows: LeasedRows<DeliveryEntity, Pick<DeliveryEntity, 'id' | 'notificationId'>>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly receivers: Receivers,
    private readonly health: ReceiverHealth,
    private readonly metrics: DeliveryMetrics,
    workerMetrics: WorkerMetrics,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('webhooks', { infer: true });
    const { leaseMs, longestRetryMs, retryForMs } = this.settings;
    this.rows = new LeasedRows(unitOfWork, workerMetrics, {
      entity: DeliveryEntity,
      worker: 'deliveries',
      dueAt: 'nextAttemptAt',
      withoutTime: 'finished',
      dueWithin: [
        { ms: Math.max(leaseMs, longestRetryMs, retryForMs) },
        // Only a response can have requested a longer delay.
        { ms: Math.max(leaseMs, longestRetryMs), where: { lastStatus: IsNull() } },
      ],
      candidate: ['notificationId'],
    });
  }

  /** Claims due deliveries, oldest first, except those of full notifications. */
  async claim({
    limit,
    since,
    full,
    admit,
  }: ClaimRequest<DeliveryCandidate, string>): Promise<ClaimedDelivery[]> {
    let receivers = new Map<string, Receiver>();
    const claims = await this.rows.claim({
      limit,
      since,
      lease: new Date(Date.now() + this.settings.leaseMs),
      ...(full.length > 0 && { where: [{ notificationId: Not(In(full)) }] }),
      choose: async (candidates) => {
        receivers = await this.receivers.find(candidates.map(({ notificationId }) => notificationId));
        return candidates.filter(({ id, notificationId }) => {
          const receiver = receivers.get(notificationId);
          return receiver !== undefined && admit({ id, notificationId, host: hostOf(receiver.url) });
        });
      },
    });
    return claims.flatMap(({ row, lease }) => {
      const notification = receivers.get(row.notificationId);
      return notification ? [{ row: Object.assign(row, { notification }), lease }] : [];
    });
  }

  /**
   * Saves the results of attempts, and the new states of their deliveries. If a delivery was claimed again or replayed
   * meanwhile, only the attempt is saved.
   */
  async record(attempts: readonly FinishedAttempt[]): Promise<void> {
    try {
      await this.unitOfWork.run(async () => {
        for (const attempt of attempts) await this.saveOutcome(attempt);
        await this.unitOfWork.repository(DeliveryAttemptEntity).insert(attempts.map(rowOf));
        await this.health.record(
          receiversOf(attempts.filter(({ result }) => result.failure === null)),
          receiversOf(attempts.filter(({ result }) => result.failure !== null)),
        );
      });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      // A notification was deleted along with its deliveries.
      if (attempts.length > 1) for (const attempt of attempts) await this.record([attempt]);
    }
  }

  /** Releases a claim that was not used. */
  release(claimed: ClaimedDelivery): Promise<void> {
    return this.rows.release(claimed);
  }

  private async saveOutcome(attempt: FinishedAttempt): Promise<void> {
    const { row: delivery, result } = attempt;
    const { failure, status, retryAfterMs } = result;
    const attempts = delivery.attempts + 1;
    const at = new Date();
    const failed = { at, attempts, giveUpAt: delivery.giveUpAt, retryAfterMs };
    // A receiver that is switched off is still called for requested deliveries, to find out whether it is available
    // again.
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
    const isSaved =
      (await this.rows.complete(attempt, outcome)) ||
      (failure === null && (await this.saveSuccess(delivery, outcome)));
    if (isSaved && next === null) this.metrics.countEnded(delivery.event, state);
  }

  /** Saves a success even if the delivery ended meanwhile because the receiver was switched off. */
  private async saveSuccess(
    { id, attempts }: DueDelivery,
    outcome: Partial<DeliveryEntity>,
  ): Promise<boolean> {
    const { affected } = await this.unitOfWork
      .repository(DeliveryEntity)
      .update({ id, attempts, state: 'dead', lastFailure: 'switched_off' }, outcome);
    return affected !== 0;
  }
}

function rowOf({ row, result }: FinishedAttempt): Omit<DeliveryAttemptEntity, 'delivery'> {
  const { startedAt, durationMs, status, failure, answer } = result;
  return { id: randomUUID(), deliveryId: row.id, startedAt, durationMs, status, failure, answer };
}

/** The ids of the notifications, with the time at which the first of their attempts began. */
function receiversOf(attempts: readonly FinishedAttempt[]): Map<string, Date> {
  const receivers = new Map<string, Date>();
  for (const { row, result } of attempts) {
    const earlier = receivers.get(row.notificationId);
    if (!earlier || result.startedAt < earlier) receivers.set(row.notificationId, result.startedAt);
  }
  return receivers;
}
