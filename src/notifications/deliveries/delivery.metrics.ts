import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import { UnitOfWork } from '../../database/unit-of-work';
import { notificationEvents } from '../events/notification-event';
import type { AttemptResult } from './attempt-result';
import { type DeliveryEntity, type FinalState, FINAL_STATES } from './delivery.entity';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and times delivery attempts, and counts finished deliveries. */
@Injectable()
export class DeliveryMetrics {
  private readonly attempts: Histogram<'event' | 'outcome'>;
  private readonly ended: Counter<'event' | 'outcome'>;

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
      help: 'Finished deliveries; outcome is their final state. One that becomes pending again counts each time it ends',
      labelNames: ['event', 'outcome'],
      registers,
    });
    // Starts at 0: a rate ignores the increase of a series whose first value is 1.
    for (const event of notificationEvents())
      for (const outcome of FINAL_STATES) this.ended.inc({ event, outcome }, 0);
  }

  observe({ event }: Pick<DeliveryEntity, 'event'>, { durationMs, failure }: AttemptResult): void {
    this.attempts.observe({ event, outcome: failure ?? 'delivered' }, durationMs / 1000);
  }

  /** Counts finished deliveries, once the current unit of work is committed. */
  countEnded(event: string, outcome: FinalState, count = 1): void {
    this.unitOfWork.afterCommit(() => this.ended.inc({ event, outcome }, count));
  }
}
