import { setMaxListeners } from 'node:events';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';
import { outsideRequests } from '../common/http/request-context';
import type { Claim, LeasedRow } from './leased-rows';
import { Loop } from './loop';
import type { ReleaseSlot, Slots } from './slots';

const SWEEP_MS = 1000;
/** What became due before this is left to sweeps when the worker is woken: it may be much, and all of it may wait for slots. */
const RECENT_MS = 1000;
/** After the database could not be queried. */
const FAILURE_PAUSE_MS = 5000;
/** Candidates that are read for each free slot: some may get none. */
const CANDIDATES_PER_SLOT = 2;

/** What a worker asks for. */
export interface ClaimRequest<C, G> {
  /** Candidates that are read at most. */
  limit: number;
  /** Rows that became due earlier need not be read; undefined for all rows. */
  since: Date | undefined;
  /** Groups whose rows need not be read: none of them would be admitted. */
  full: readonly G[];
  /** Whether there is a slot for a candidate; only those that were admitted may be claimed. */
  admit: (candidate: C) => boolean;
}

/** Which rows a worker claims, and what it does with each. */
export interface WorkerOptions<C extends LeasedRow, G, T extends LeasedRow, R> {
  /** In the log. */
  name: string;
  slots: Slots<C, G, R>;
  /** Candidates that are read at once, at most. */
  batch: number;
  /** The pause between two claims while more is due than was claimed, in milliseconds. */
  paceMs: number;
  /** How long a stop waits for work in progress, and then once more after it was cut off, in milliseconds. */
  stopMs: number;
  claim: (request: ClaimRequest<C, G>) => Promise<Claim<T>[]>;
  /**
   * Processes a row and saves the result. What it throws is logged; the row is then due again when its lease ends.
   *
   * @param cutOff is aborted when a stop does not wait any longer
   * @returns what the slot is released with
   */
  process: (claim: Claim<T>, cutOff: AbortSignal) => Promise<R | undefined>;
}

/**
 * Processes due rows: at once when it is woken, which whoever writes them does after the commit. A sweep each second, and when
 * a slot becomes free that rows wait for, finds what is due again, what other instances wrote, and what was lost.
 */
export class Worker<C extends LeasedRow, G, T extends LeasedRow, R> {
  private readonly logger = new Logger('Worker');
  private readonly loop = new Loop(() => this.claimSome());
  private readonly inProgress = new Set<Promise<void>>();
  private readonly cutOff = new AbortController();
  /** Rows may be due that got no slot: the next slot that is released is for them. */
  private behind = false;
  /** When all due rows are read the next time, as `performance.now()` has it. */
  private sweepAt = -Infinity;
  private paused = true;
  private stopped = false;
  private sweepTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WorkerOptions<C, G, T, R>) {
    // Each row in progress listens; the slots bound their number.
    setMaxListeners(0, this.cutOff.signal);
  }

  /** Begins, or goes on after {@link pause}; does nothing after {@link stop}. */
  resume(): void {
    if (this.stopped) return;
    this.paused = false;
    this.loop.start();
    this.loop.wake();
  }

  /** Claims nothing until {@link resume}; what is in progress goes on. */
  pause(): void {
    this.paused = true;
  }

  /** Rows are due now. To be called after the commit of the unit of work that wrote them. */
  wake(): void {
    this.loop.wake();
  }

  /** Processes a row that was claimed otherwise. Undefined where there is no slot for it, or the worker was stopped. */
  begin(candidate: C, claim: Claim<T>): Promise<void> | undefined {
    const release = this.stopped ? undefined : this.options.slots.take(candidate);
    // The caller may be a request, and what it may see does not limit the work.
    return release && outsideRequests(() => this.start(claim, release));
  }

  /** Claims nothing more, waits a bounded time for work in progress, and cuts it off. */
  async stop(): Promise<void> {
    this.pause();
    this.stopped = true;
    clearTimeout(this.sweepTimer);
    const ended = this.loop.stop().then(() => this.settled());
    await this.within(ended);
    this.cutOff.abort();
    await this.within(ended);
  }

  /** @returns how long to pause, in milliseconds */
  private async claimSome(): Promise<number> {
    // What is committed in the same turn of the event loop is claimed together.
    await turn();
    const { slots, batch, paceMs } = this.options;
    const { full } = slots;
    const limit = Math.min(batch, CANDIDATES_PER_SLOT * slots.free);
    this.behind = limit <= 0 || full.length > 0;
    if (this.paused || limit <= 0) return SWEEP_MS;
    const now = performance.now();
    const since = now < this.sweepAt ? new Date(Date.now() - RECENT_MS) : undefined;
    if (!since) this.sweepAt = now + SWEEP_MS;
    try {
      if (!(await this.claim({ limit, since, full }))) return Math.max(0, this.sweepAt - performance.now());
      this.sweepAt = -Infinity;
      return paceMs;
    } catch (error) {
      this.warn('Due rows could not be claimed', error);
      return FAILURE_PAUSE_MS;
    }
  }

  /** @returns whether more may be due that could be claimed at once */
  private async claim(request: Omit<ClaimRequest<C, G>, 'admit'>): Promise<boolean> {
    const { slots, claim } = this.options;
    const admitted = new Map<string, ReleaseSlot<R>>();
    let candidates = 0;
    const admit = (candidate: C): boolean => {
      candidates += 1;
      const release = slots.take(candidate);
      if (release) admitted.set(candidate.id, release);
      else this.behind = true;
      return release !== undefined;
    };
    try {
      for (const each of await claim({ ...request, admit })) {
        const release = admitted.get(each.row.id);
        admitted.delete(each.row.id);
        if (release) void this.start(each, release);
      }
      return candidates >= request.limit || admitted.size > 0;
    } finally {
      // Another instance has claimed these.
      for (const release of admitted.values()) release();
    }
  }

  private start(claim: Claim<T>, release: ReleaseSlot<R>): Promise<void> {
    const work = this.process(claim, release).finally(() => this.inProgress.delete(work));
    this.inProgress.add(work);
    return work;
  }

  private async process(claim: Claim<T>, release: ReleaseSlot<R>): Promise<void> {
    let result: R | undefined;
    try {
      result = await this.options.process(claim, this.cutOff.signal);
    } catch (error) {
      this.warn('A row could not be processed', error, claim.row.id);
    }
    if (release(result) && this.behind && !this.stopped) this.sweepSoon();
  }

  /** Slots that are released one after the other are given out together. */
  private sweepSoon(): void {
    this.sweepTimer ??= setTimeout(() => {
      this.sweepTimer = undefined;
      this.sweepAt = -Infinity;
      this.wake();
    }, this.options.paceMs).unref();
  }

  private async settled(): Promise<void> {
    while (this.inProgress.size > 0) await Promise.all(this.inProgress);
  }

  private async within(ended: Promise<void>): Promise<void> {
    await Promise.race([ended, sleep(this.options.stopMs, undefined, { ref: false })]);
  }

  private warn(what: string, error: unknown, row?: string): void {
    this.logger.warn(what, {
      worker: this.options.name,
      cause: causeOf(error),
      ...(row !== undefined && { row }),
    });
  }
}
