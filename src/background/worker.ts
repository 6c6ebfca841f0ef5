import { setMaxListeners } from 'node:events';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';
import { outsideRequests } from '../common/http/request-context';
import { FailureLog } from './failure-log';
import type { Claim, LeasedRow } from './leased-rows';
import { Loop } from './loop';
import type { ReleaseSlot, Slots } from './slots';

const SWEEP_MS = 1000;
/**
 * A worker that is woken reads only rows that became due within this time. It leaves older rows to sweeps: there may be
 * many, all waiting for slots.
 */
const RECENT_MS = 1000;
/** The pause after a failed query. */
const FAILURE_PAUSE_MS = 5000;
/** The number of candidates to read for each free slot, because some may not get one. */
const CANDIDATES_PER_SLOT = 2;

/** A worker's request for rows. */
export interface ClaimRequest<C, G> {
  /** The maximum number of candidates to read. */
  limit: number;
  /** Rows that became due before this time need not be read; undefined for all rows. */
  since: Date | undefined;
  /** Groups whose rows need not be read, because none of them would be admitted. */
  full: readonly G[];
  /** Whether there is a slot for a candidate. Only admitted candidates may be claimed. */
  admit: (candidate: C) => boolean;
}

/** How a worker claims and processes rows. */
export interface WorkerOptions<C extends LeasedRow, G, T extends LeasedRow, R> {
  /** The name of the worker in the log. */
  name: string;
  slots: Slots<C, G, R>;
  /** The maximum number of candidates to read at once. */
  batch: number;
  /** The pause between two claims while more rows are due, in milliseconds. */
  paceMs: number;
  /** How long a stop waits for work in progress, and again after aborting it, in milliseconds. */
  stopMs: number;
  claim: (request: ClaimRequest<C, G>) => Promise<Claim<T>[]>;
  /**
   * Processes a row and saves the result. If it throws, the error is logged, and the row is due again when its lease
   * ends.
   *
   * @param cutOff aborted when a stop no longer waits
   * @returns the result with which the slot is released
   */
  process: (claim: Claim<T>, cutOff: AbortSignal) => Promise<R | undefined>;
}

/**
 * Processes due rows. The code that writes such rows wakes the worker after its commit, so that it starts immediately.
 * A sweep finds rows that are due again, that other instances wrote, or whose instance has ended. It runs every second,
 * and whenever a slot becomes free for which rows are waiting.
 */
export class Worker<C extends LeasedRow, G, T extends LeasedRow, R> {
  private readonly logger = new Logger('Worker');
  private readonly claims: FailureLog;
  private readonly loop = new Loop(() => this.claimSome());
  private readonly inProgress = new Set<Promise<void>>();
  private readonly cutOff = new AbortController();
  /** Whether due rows may be waiting for a slot. If so, the next slot that is released causes a sweep. */
  private behind = false;
  /** The time of the next sweep, on the clock of `performance.now()`. */
  private sweepAt = -Infinity;
  private paused = true;
  private stopped = false;
  private sweepTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: WorkerOptions<C, G, T, R>) {
    // Every row in progress adds a listener; the number of slots limits them.
    setMaxListeners(0, this.cutOff.signal);
    this.claims = new FailureLog(this.logger, { worker: options.name });
  }

  /** Starts, or continues after {@link pause}; does nothing after {@link stop}. */
  resume(): void {
    if (this.stopped) return;
    this.paused = false;
    this.loop.start();
    this.loop.wake();
  }

  /** Claims nothing until {@link resume}; work in progress continues. */
  pause(): void {
    this.paused = true;
  }

  /** Must be called after the commit of a unit of work that wrote rows that are due now. */
  wake(): void {
    this.loop.wake();
  }

  /**
   * Processes a row that was claimed elsewhere. Undefined if there is no slot for it, or the worker has been stopped.
   */
  begin(candidate: C, claim: Claim<T>): Promise<void> | undefined {
    const release = this.stopped ? undefined : this.options.slots.take(candidate);
    // The caller may be a request, whose reach must not restrict the work.
    return release && outsideRequests(() => this.start(claim, release));
  }

  /** Stops claiming, waits for work in progress up to a limit, and then aborts it. */
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
    // Rows that are committed in the same turn of the event loop are claimed together.
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
      const more = await this.claim({ limit, since, full });
      this.claims.succeeded('Due rows are claimed again');
      if (!more && slots.isNextDue !== true) return Math.max(0, this.sweepAt - performance.now());
      this.sweepAt = -Infinity;
      return paceMs;
    } catch (error) {
      this.claims.failed('Due rows could not be claimed', error);
      return FAILURE_PAUSE_MS;
    }
  }

  /** @returns whether further rows may be due that could be claimed immediately */
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
      // Another instance has claimed the remaining ones.
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
      this.logger.warn('A row could not be processed', {
        worker: this.options.name,
        cause: causeOf(error),
        row: claim.row.id,
      });
    }
    if (release(result) && this.behind && !this.stopped) this.sweepSoon();
  }

  /** Waits a moment, so that slots that are released in quick succession are reused together. */
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
}
