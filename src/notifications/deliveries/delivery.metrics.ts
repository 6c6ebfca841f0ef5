import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { IsNull, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work';
import { NOTIFICATION_EVENTS } from '../events/notification-event';
import type { AttemptResult } from './attempt-result';
import { DeliveryEntity, type FinalState, FINAL_STATES } from './delivery.entity';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The metrics are public and never limited: however often they are asked for, the table is asked this often. */
const SHARED_FOR_MS = 5000;

/** Attempts to deliver events, what has come of deliveries, and for how long the oldest that is due has waited. */
@Injectable()
export class DeliveryMetrics {
  private readonly logger = new Logger(DeliveryMetrics.name);
  private readonly attempts: Histogram<'event' | 'outcome'>;
  private readonly ended: Counter<'event' | 'outcome'>;
  private readonly oldestDue: Gauge;
  private asking: Promise<void> = Promise.resolve();
  private askedAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly unitOfWork: UnitOfWork,
  ) {
    const registers = [registry];
    this.attempts = new Histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Attempts to deliver events; outcome is delivered, or why the attempt failed',
      labelNames: ['event', 'outcome'],
      buckets: SECONDS,
      registers,
    });
    this.ended = new Counter({
      name: 'webhook_deliveries_total',
      help: 'Deliveries that have reached their end; outcome is the state they ended in',
      labelNames: ['event', 'outcome'],
      registers,
    });
    // From 0: a rate does not see a series whose first value is 1.
    for (const event of NOTIFICATION_EVENTS)
      for (const outcome of FINAL_STATES) this.ended.inc({ event, outcome }, 0);
    this.oldestDue = new Gauge({
      name: 'webhook_oldest_due_seconds',
      help: 'For how long the oldest delivery that is due has waited to be attempted',
      registers,
      collect: () => this.collectOnce(),
    });
  }

  observe({ event }: Pick<DeliveryEntity, 'event'>, { durationMs, failure }: AttemptResult): void {
    this.attempts.observe({ event, outcome: failure ?? 'delivered' }, durationMs / 1000);
  }

  /** Counts deliveries that have reached their end, once the unit of work in progress is committed. */
  countEnded(event: string, outcome: FinalState, count = 1): void {
    this.unitOfWork.afterCommit(() => {
      this.ended.inc({ event, outcome }, count);
    });
  }

  private collectOnce(): Promise<void> {
    if (performance.now() - this.askedAt > SHARED_FOR_MS) {
      this.askedAt = performance.now();
      this.asking = this.collect();
    }
    return this.asking;
  }

  /** Without a database the gauge has no value: a scrape still tells everything else. */
  private async collect(): Promise<void> {
    this.oldestDue.remove();
    try {
      const oldest = await this.unitOfWork.repository(DeliveryEntity).findOne({
        select: { id: true, nextAttemptAt: true },
        where: { nextAttemptAt: Not(IsNull()) },
        order: { nextAttemptAt: 'ASC' },
      });
      const dueAt = oldest?.nextAttemptAt?.getTime() ?? Infinity;
      this.oldestDue.set(Math.max(0, (Date.now() - dueAt) / 1000));
    } catch (error) {
      this.logger.warn('Due deliveries could not be counted', {
        cause: error instanceof Error ? error.message : typeof error,
      });
    }
  }
}
