import { parseUrl } from '../../common/net/parse-url';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Pause } from '../../common/event-loop/pause';
import type { AppConfig } from '../../config/app-config';
import { Batches } from './batches';
import { type ClaimedDelivery, DeliveriesService, type FinishedAttempt } from './deliveries.service';
import type { DueDelivery } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import { DeliveryQueue } from './delivery-queue';
import { DeliverySender } from './delivery-sender';
import { DeliverySlots, type Slot } from './delivery-slots';

/** Ids of the queue that are looked at together; how many attempts are under way the slots decide. */
const QUEUE_CONCURRENCY = 64;
/** Outcomes that are kept in one transaction. */
const NOTED_TOGETHER = 64;
const SWEEP_MS = 1000;
/** Between sweeps at least. */
const BUSY_SWEEP_MS = 25;
/** After the database could not be asked. */
const FAILURE_PAUSE_MS = 5000;
/** How many due deliveries a sweep looks at for each slot that is free. */
const CANDIDATES_PER_SLOT = 2;
const MAX_CANDIDATES = 256;
const MAX_EXCLUDED = 10_000;
/** How long a stop waits for attempts that are under way before it cuts them off, and for what follows from that. */
const STOP_MS = 3000;

/**
 * Brings deliveries to their receivers: those that the queue names at once, and by sweeping the table all that are due,
 * whoever has lost them.
 */
@Injectable()
export class DeliveryDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryDispatcher.name);
  private readonly slots = new DeliverySlots();
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly named = new Batches<string>(QUEUE_CONCURRENCY, (ids) => this.deliverNamed(ids));
  private readonly finished = new Batches<FinishedAttempt>(NOTED_TOGETHER, (attempts) =>
    this.deliveries.note(attempts),
  );
  private readonly pause = new Pause();
  private readonly cutOff = new AbortController();
  /** Some that are due got no slot: the next slot that is given back is for them. */
  private behind = false;
  private stopped = false;

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly sender: DeliverySender,
    private readonly queue: DeliveryQueue,
    private readonly metrics: DeliveryMetrics,
    private readonly config: ConfigService<AppConfig, true>,
  ) {
    // Each attempt listens, and the slots bound those.
    setMaxListeners(0, this.cutOff.signal);
  }

  onApplicationBootstrap(): void {
    if (!this.config.get('background', { infer: true })) return;
    this.queue.process(QUEUE_CONCURRENCY, (id) => this.named.add(id));
    void this.keep(this.sweep());
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.pause.end();
    await Promise.race([this.settled(), sleep(STOP_MS, undefined, { ref: false })]);
    this.cutOff.abort();
    await Promise.race([this.settled(), sleep(STOP_MS, undefined, { ref: false })]);
  }

  /** What cannot be begun now stays due, and the sweeper finds it. */
  private async deliverNamed(ids: string[]): Promise<void> {
    if (this.stopped) return;
    try {
      await this.keep(this.begin(() => this.deliveries.dueAmong(ids)));
    } catch (error) {
      this.warn('Queued deliveries could not be begun', error);
    }
  }

  private async sweep(): Promise<void> {
    while (!this.stopped) {
      const milliseconds = await this.sweepOnce();
      await sleep(BUSY_SWEEP_MS);
      await this.pause.take(milliseconds);
    }
  }

  /** Begins what is due and has a slot. Answers how long to pause, in milliseconds. */
  private async sweepOnce(): Promise<number> {
    const refused = this.slots.refused.slice(0, MAX_EXCLUDED);
    const candidates = Math.min(CANDIDATES_PER_SLOT * this.slots.free, MAX_CANDIDATES);
    this.behind = refused.length > 0;
    if (candidates === 0) return SWEEP_MS;
    try {
      const begun = await this.begin(() => this.deliveries.due(candidates, refused));
      return begun > 0 ? 0 : SWEEP_MS;
    } catch (error) {
      this.warn('Due deliveries could not be begun', error);
      return FAILURE_PAUSE_MS;
    }
  }

  private async begin(find: () => Promise<DueDelivery[]>): Promise<number> {
    const slots = new Map<string, Slot>();
    try {
      const claimed = await this.deliveries.claim(this.admit(await find(), slots));
      for (const each of claimed) {
        const slot = slots.get(each.delivery.id);
        slots.delete(each.delivery.id);
        if (slot) void this.keep(this.attempt(each, slot));
      }
      return claimed.length;
    } finally {
      // Somebody else took them.
      for (const slot of slots.values()) this.slots.release(slot, undefined);
    }
  }

  private admit(due: DueDelivery[], slots: Map<string, Slot>): DueDelivery[] {
    const admitted = due.filter(({ id, notification }) => {
      const slot = this.slots.take(notification.id, hostOf(notification.url));
      if (slot) slots.set(id, slot);
      return slot !== undefined;
    });
    this.behind ||= admitted.length < due.length;
    return admitted;
  }

  private async attempt(claimed: ClaimedDelivery, slot: Slot): Promise<void> {
    let taken: boolean | undefined;
    try {
      const result = await this.sender.send(claimed.delivery, this.cutOff.signal);
      if (result.failure === null) taken = true;
      else if (result.status === null && result.failure !== 'aborted') taken = false;
      this.metrics.observe(claimed.delivery, result);
      // An attempt that a stop has cut off is made again by whoever comes next.
      if (result.failure === 'aborted' && this.stopped) await this.deliveries.release(claimed);
      else await this.finished.add({ ...claimed, result });
    } catch (error) {
      this.warn('Delivery could not be attempted', error);
    } finally {
      this.slots.release(slot, taken);
      if (this.behind) this.pause.end();
    }
  }

  /** Has a stop wait for what was begun. */
  private async keep<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work);
    try {
      return await work;
    } finally {
      this.underWay.delete(work);
    }
  }

  private async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  private warn(what: string, error: unknown): void {
    this.logger.warn(what, { cause: error instanceof Error ? error.message : String(error) });
  }
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}
