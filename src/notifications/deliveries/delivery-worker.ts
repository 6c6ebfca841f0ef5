import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Worker } from '../../background/worker';
import type { AppConfig } from '../../config/app-config';
import { Batches } from '../../common/event-loop/batches';
import { inSpanOf } from '../../common/tracing/spans';
import { parseTrace } from '../../common/tracing/trace-context';
import {
  type ClaimedDelivery,
  DeliveriesService,
  type DeliveryCandidate,
  type FinishedAttempt,
} from './deliveries.service';
import type { DueDelivery } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import { DeliverySender } from './delivery-sender';
import { type Conduct, DeliverySlots } from './delivery-slots';

const MAX_CANDIDATES = 256;
const PACE_MS = 25;
/** The number of results that are saved in one transaction. */
const SAVED_TOGETHER = 64;
const STOP_MS = 3000;

/** Sends due deliveries to their receivers. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly worker = new Worker<DeliveryCandidate, string, DueDelivery, Conduct>({
    name: 'deliveries',
    slots: new DeliverySlots(),
    batch: MAX_CANDIDATES,
    paceMs: PACE_MS,
    stopMs: STOP_MS,
    claim: (request) => this.deliveries.claim(request),
    process: (claimed, cutOff) => this.attempt(claimed, cutOff),
  });
  private readonly finished = new Batches<FinishedAttempt>(SAVED_TOGETHER, (attempts) =>
    this.deliveries.record(attempts),
  );

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly sender: DeliverySender,
    private readonly metrics: DeliveryMetrics,
    private readonly config: ConfigService<AppConfig, true>,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.get('background', { infer: true })) this.worker.resume();
  }

  onModuleDestroy(): Promise<void> {
    return this.worker.stop();
  }

  /** Must be called after a commit that recorded deliveries or made them due again. */
  wake(): void {
    this.worker.wake();
  }

  /** @returns what the attempt shows about the receiver; undefined if it was aborted */
  private async attempt(claimed: ClaimedDelivery, cutOff: AbortSignal): Promise<Conduct | undefined> {
    const { row } = claimed;
    const result = await inSpanOf(
      parseTrace(row.traceContext),
      `deliver ${row.event}`,
      { attributes: { event: row.event, attempt: row.attempts + 1 } },
      async (span) => {
        const sent = await this.sender.send(row, cutOff);
        if (sent.failure !== null) span?.fail(sent.failure);
        return sent;
      },
    );
    const { failure, status, durationMs: ms } = result;
    this.metrics.observe(row, result);
    // If the attempt was aborted because the service is stopping, another instance repeats it, or this one after a
    // restart.
    if (failure === 'aborted' && cutOff.aborted) await this.deliveries.release(claimed);
    else await this.finished.add({ ...claimed, result });
    if (failure === 'aborted') return undefined;
    return { response: failure === null ? 'accepted' : status === null ? 'none' : 'refused', ms };
  }
}
