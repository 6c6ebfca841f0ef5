import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Pause } from '../../common/event-loop/pause';
import { type ClaimedDelivery, DeliveriesService } from './deliveries.service';
import type { DueDelivery } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';
import { DeliveryQueue } from './delivery-queue';
import { DeliverySender } from './delivery-sender';
import { HostSlots } from './host-slots';

/** Ids of the queue that are looked at together; how many are under way the slots decide. */
const QUEUE_CONCURRENCY = 32;
const SWEEP_MS = 1000;
/** Between sweeps that find work. */
const BUSY_SWEEP_MS = 20;
/** After the database could not be asked. */
const FAILURE_PAUSE_MS = 5000;
/** How many due deliveries a sweep looks at for each slot that is free. */
const CANDIDATES_PER_SLOT = 2;
const MAX_CANDIDATES = 256;
const MAX_EXCLUDED = 1000;
/** How long a stop waits for attempts that are under way before it cuts them off. */
const STOP_MS = 3000;

/**
 * Brings deliveries to their receivers: those that the queue names at once, and by sweeping the table all that are due,
 * whoever has lost them.
 */
@Injectable()
export class DeliveryDispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryDispatcher.name);
  private readonly slots = new HostSlots();
  private readonly underWay = new Set<Promise<void>>();
  /** The host of each notification that was seen with deliveries due. */
  private readonly hosts = new Map<string, string>();
  private readonly pause = new Pause();
  private readonly cutOff = new AbortController();
  private stopped = false;

  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly sender: DeliverySender,
    private readonly queue: DeliveryQueue,
    private readonly metrics: DeliveryMetrics,
  ) {}

  onApplicationBootstrap(): void {
    this.queue.process(QUEUE_CONCURRENCY, (id) => this.deliverQueued(id));
    void this.sweep();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.pause.end();
    await Promise.race([Promise.all(this.underWay), sleep(STOP_MS, undefined, { ref: false })]);
    this.cutOff.abort();
    await Promise.all(this.underWay);
  }

  /** What cannot be begun now stays due, and the sweeper finds it. */
  private async deliverQueued(id: string): Promise<void> {
    if (this.stopped) return;
    const delivery = await this.deliveries.dueOne(id);
    if (delivery) await this.begin([delivery]);
  }

  private async sweep(): Promise<void> {
    while (!this.stopped) await this.pause.take(await this.sweepOnce());
  }

  /** Begins what is due and has a slot. Answers how long to pause, in milliseconds. */
  private async sweepOnce(): Promise<number> {
    const candidates = Math.min(CANDIDATES_PER_SLOT * this.slots.free, MAX_CANDIDATES);
    if (candidates <= 0) return BUSY_SWEEP_MS;
    try {
      const due = await this.deliveries.due(candidates, this.notificationsOfFullHosts());
      const begun = await this.begin(due);
      return begun > 0 ? BUSY_SWEEP_MS : SWEEP_MS;
    } catch (error) {
      this.warn('Due deliveries could not be read', error);
      return FAILURE_PAUSE_MS;
    }
  }

  private async begin(due: DueDelivery[]): Promise<number> {
    const admitted = due.filter((delivery) => this.slots.take(this.hostOf(delivery)));
    const claimed = await this.claim(admitted);
    for (const each of claimed) {
      const attempt = this.attempt(each).finally(() => {
        this.underWay.delete(attempt);
        this.pause.end();
      });
      this.underWay.add(attempt);
    }
    return claimed.length;
  }

  /** Slots of deliveries that somebody else took are given back. */
  private async claim(admitted: DueDelivery[]): Promise<ClaimedDelivery[]> {
    let claimed: ClaimedDelivery[] = [];
    try {
      claimed = await this.deliveries.claim(admitted);
      return claimed;
    } finally {
      const taken = new Set(claimed.map(({ delivery }) => delivery.id));
      for (const delivery of admitted)
        if (!taken.has(delivery.id)) this.slots.release(this.hostOf(delivery), undefined);
    }
  }

  private async attempt(claimed: ClaimedDelivery): Promise<void> {
    const { delivery } = claimed;
    let answered: boolean | undefined;
    try {
      const result = await this.sender.send(delivery, this.cutOff.signal);
      answered = result.failure === null;
      this.metrics.observe(delivery, result);
      // An attempt that a stop has cut off is made again by whoever comes next.
      if (result.failure === 'aborted' && this.stopped) await this.deliveries.release(claimed);
      else await this.deliveries.note(claimed, result);
    } catch (error) {
      this.warn('Delivery could not be attempted', error);
    } finally {
      this.slots.release(this.hostOf(delivery), answered);
    }
  }

  private hostOf({ notification: { id, url } }: DueDelivery): string {
    const { host } = new URL(url);
    this.hosts.set(id, host);
    return host;
  }

  private notificationsOfFullHosts(): string[] {
    const full = new Set(this.slots.full);
    for (const [id, host] of this.hosts) if (!full.has(host)) this.hosts.delete(id);
    return [...this.hosts.keys()].slice(0, MAX_EXCLUDED);
  }

  private warn(what: string, error: unknown): void {
    this.logger.warn(what, { cause: error instanceof Error ? error.message : String(error) });
  }
}
