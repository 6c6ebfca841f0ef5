import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { LessThan, MoreThan } from 'typeorm';
import { getOrCreate } from '../../common/get-or-create';
import { UnitOfWork } from '../../database/unit-of-work';
import type { CallJournal, Interruption } from './call-journal';
import { UnfinishedCallEntity } from './unfinished-call.entity';

/**
 * Longer than a call takes, including reading its response. Until then, another instance may still be making the call.
 */
const MAY_BE_UNDER_WAY_MS = 15_000;
/** How long an endpoint rests after a process ended during a call to it. */
const REST_MS = 5 * 60_000;
/** Older rows have no effect. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;
/** The pause between two looks at the call of another process. */
const LOOK_MS = 100;

/** The calls of this process to one origin, and when their row was written; undefined if there is none. */
interface UnderWay {
  calls: number;
  row: Promise<Date | undefined>;
}

interface Found extends Interruption {
  /** Whether the other process may still be making the call. */
  mayBeUnderWay: boolean;
}

/** {@link CallJournal} in the database: one row per origin while a call is in progress, shared by all processes. */
@Injectable()
export class UnfinishedCalls implements CallJournal {
  private readonly logger = new Logger(UnfinishedCalls.name);
  private readonly underWay = new Map<string, UnderWay>();
  private hasPurged = false;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  async interruptionOf(url: string): Promise<Found | undefined> {
    const { origin } = new URL(url);
    if (this.underWay.has(origin)) return undefined;
    const row = await this.attempt(() => this.rows.findOneBy({ origin }));
    if (!row) return undefined;
    // If the clock was set back, a call that began long before it must not bar the endpoint until that time.
    const age = Math.abs(Date.now() - row.startedAt.getTime());
    const mayBeUnderWay = age < MAY_BE_UNDER_WAY_MS;
    const restMs = (mayBeUnderWay ? MAY_BE_UNDER_WAY_MS : REST_MS) - age;
    return restMs > 0 ? { restMs, isBarred: age < barredMs(row.attempts), mayBeUnderWay } : undefined;
  }

  async interruptionAfterOthers(url: string): Promise<Interruption | undefined> {
    const end = performance.now() + MAY_BE_UNDER_WAY_MS;
    for (;;) {
      const interruption = await this.interruptionOf(url);
      const isAwaited = interruption?.isBarred && interruption.mayBeUnderWay;
      if (!isAwaited || performance.now() >= end) return interruption;
      await sleep(LOOK_MS, undefined, { ref: false });
    }
  }

  async watch<T>(url: string, work: () => Promise<T>): Promise<T> {
    const { origin } = new URL(url);
    const underWay = getOrCreate(this.underWay, origin, () => ({ calls: 0, row: this.begin(origin) }));
    underWay.calls += 1;
    const startedAt = await underWay.row;
    try {
      return await work();
    } finally {
      underWay.calls -= 1;
      if (underWay.calls === 0) {
        this.underWay.delete(origin);
        if (startedAt) await this.attempt(() => this.end(origin, startedAt));
      }
    }
  }

  /** Writes the row, or takes over one that another process left behind. */
  private begin(origin: string): Promise<Date | undefined> {
    return this.attempt(async () => {
      await this.purge();
      const left = await this.rows.findOneBy({ origin });
      const startedAt = timeOtherThan(left?.startedAt);
      if (left) {
        const taken = await this.rows.update(
          { origin, startedAt: left.startedAt },
          { startedAt, attempts: left.attempts + 1 },
        );
        return taken.affected === 0 ? undefined : startedAt;
      }
      await this.rows.insert({ origin, attempts: 1, startedAt });
      return startedAt;
    });
  }

  /**
   * Must delete the row: otherwise other processes would not call the endpoint. If another process has taken it over,
   * that process counted this call as one that did not complete.
   */
  private async end(origin: string, startedAt: Date): Promise<void> {
    const { affected } = await this.unitOfWork.runStatement(() => this.rows.delete({ origin, startedAt }));
    if (affected !== 0) return;
    await this.unitOfWork.runStatement(() =>
      this.rows.decrement({ origin, attempts: MoreThan(1) }, 'attempts', 1),
    );
  }

  private async purge(): Promise<void> {
    if (this.hasPurged) return;
    this.hasPurged = true;
    await this.rows.delete({ startedAt: LessThan(new Date(Date.now() - FORGOTTEN_AFTER_MS)) });
  }

  /** Undefined if the database fails: a call is made even if its row cannot be written. */
  private async attempt<T>(statement: () => Promise<T>): Promise<T | undefined> {
    try {
      return await statement();
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      this.logger.debug('Unfinished calls could not be read or written', { cause });
      return undefined;
    }
  }

  private get rows() {
    return this.unitOfWork.repository(UnfinishedCallEntity);
  }
}

/** The current time. It differs from the one given, because a row belongs to the process that wrote its time. */
function timeOtherThan(other: Date | undefined): Date {
  const now = Date.now();
  return new Date(now === other?.getTime() ? now + 1 : now);
}

/**
 * How long an endpoint is not called even if there is no alternative. The time doubles with each process that ended: an
 * endpoint that crashes every process is seldom called, and an innocent one is soon used again.
 */
const barredMs = (attempts: number): number =>
  attempts < 2 ? 0 : Math.min(MAY_BE_UNDER_WAY_MS * 2 ** (attempts - 1), REST_MS);
