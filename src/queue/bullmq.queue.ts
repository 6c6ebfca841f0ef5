import { Logger } from '@nestjs/common';
import type * as bullmq from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import { withTimeout, NoResponseError } from '../redis/with-timeout';
import { Outage } from '../redis/outage';
import type { JobQueue } from './job-queue';
import type { QueueCounter } from './queue.metrics';
import { RunningJobs } from './running-jobs';

const PREFIX = 'relayer:queue';
const MAX_WAITING = 100_000;
/** Ids that are handed over in one exchange with Redis. */
const BATCH = 250;
const ADD_MS = 1000;
const DEPTH_MS = 500;
const CLOSING_MS = 2000;
const QUIT_MS = 500;
/** After Redis refused the worker a command: it would otherwise ask again at once, and again. */
const REST_MS = 1000;
/** Nothing of a job is kept once it was worked on. */
const FORGET = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** What the connection of such a queue needs: a worker waits for as long as Redis is away. */
export const QUEUE_CONNECTION: RedisOptions = { maxRetriesPerRequest: null };

/** What of the library is used. */
export type BullMq = Pick<typeof bullmq, 'Queue' | 'Worker'>;

/**
 * Ids wait in Redis, for whichever instance is free. An id that waits or is being worked on is not queued again; that
 * of an instance which was killed is handed over again after a minute at most.
 */
export class BullMqQueue implements JobQueue {
  private readonly options;
  private readonly queue: bullmq.Queue<string>;
  private readonly running: RunningJobs;
  private readonly adding: Outage;
  private readonly taking: Outage;
  private worker: bullmq.Worker<string> | undefined;
  private rest: NodeJS.Timeout | undefined;
  private closing: Promise<void> | undefined;

  /** @param client a connection of its own, opened with {@link QUEUE_CONNECTION} */
  constructor(
    private readonly library: BullMq,
    private readonly name: string,
    private readonly client: Redis,
    private readonly counter: QueueCounter,
  ) {
    const logger = new Logger('JobQueue');
    const fields = { queue: name };
    this.running = new RunningJobs(name);
    this.adding = new Outage(logger, 'Jobs cannot be queued', 'Jobs are queued again', fields);
    this.taking = new Outage(logger, 'Jobs cannot be taken', 'Jobs are taken again', fields);
    this.options = { connection: client, prefix: PREFIX, skipVersionCheck: true, skipWaitingForReady: true };
    this.queue = new library.Queue(name, {
      ...this.options,
      defaultJobOptions: FORGET,
      skipMetasUpdate: true,
    });
    // Those of the connection are logged where it was opened, those of a command by who gave it.
    this.queue.on('error', () => undefined);
  }

  async add(ids: readonly string[]): Promise<void> {
    let queued = 0;
    while (queued < ids.length && (await this.hand(ids.slice(queued, queued + BATCH)))) queued += BATCH;
    queued = Math.min(queued, ids.length);
    this.counter.count(queued, ids.length - queued);
  }

  process(concurrency: number, work: (id: string) => Promise<void>): void {
    const worker = new this.library.Worker<string>(
      this.name,
      ({ data: id }) => (this.closing ? Promise.resolve() : this.running.run(id, work)),
      { ...this.options, concurrency, runRetryDelay: REST_MS },
    );
    worker.on('error', (error) => {
      this.takeRest(worker, error);
    });
    worker.on('active', () => {
      this.taking.end();
    });
    this.worker = worker;
  }

  async depth(): Promise<number | undefined> {
    if (this.client.status !== 'ready') return undefined;
    try {
      return await withTimeout(DEPTH_MS, this.queue.getWaitingCount());
    } catch {
      return undefined;
    }
  }

  close(): Promise<void> {
    return (this.closing ??= this.stop());
  }

  private async hand(ids: readonly string[]): Promise<boolean> {
    // A command would wait for the connection to come back.
    if (this.closing || this.client.status !== 'ready') return false;
    try {
      const accepted = await withTimeout(ADD_MS, this.push(ids));
      this.adding.end();
      return accepted;
    } catch (error) {
      this.adding.begin(error);
      // On a connection that does not answer, more and more commands would wait.
      if (error instanceof NoResponseError) this.client.disconnect(true);
      return false;
    }
  }

  private async push(ids: readonly string[]): Promise<boolean> {
    if ((await this.queue.getWaitingCount()) >= MAX_WAITING) return false;
    // BullMQ refuses ids that look like numbers or have colons.
    const jobs = ids.map((id) => ({
      name: this.name,
      data: id,
      opts: { jobId: `id-${encodeURIComponent(id)}` },
    }));
    await this.queue.addBulk(jobs);
    return true;
  }

  private takeRest(worker: bullmq.Worker, cause: Error): void {
    if (this.closing || this.client.status !== 'ready') return;
    this.taking.begin(cause);
    if (this.rest) return;
    void worker.pause(true);
    this.rest = setTimeout(() => {
      this.rest = undefined;
      void worker.resume();
    }, REST_MS).unref();
  }

  private async stop(): Promise<void> {
    clearTimeout(this.rest);
    await this.worker?.pause(true);
    await this.running.settled(CLOSING_MS);
    // Until the worker has asked Redis to forget what was just done.
    await new Promise(setImmediate);
    await this.worker?.close(true);
    await this.queue.close();
    if (this.client.status === 'ready') await withTimeout(QUIT_MS, this.client.quit()).catch(() => undefined);
    this.client.disconnect();
  }
}
