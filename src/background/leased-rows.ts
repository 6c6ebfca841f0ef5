import { Logger } from '@nestjs/common';
import {
  Between,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsSelect,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  Not,
  type Repository,
} from 'typeorm';
import type { FoundRows } from '../database/integrity/protected-rows';
import type { UnitOfWork } from '../database/unit-of-work';
import { CLOCK_DIFFERENCE_MS } from './clock-difference';
import type { WorkerMetrics } from './worker.metrics';

/** How often due times that are too late are looked for. */
const LATE_EVERY_MS = 60_000;
/** The number of rows with such a time that become due together. */
const LATE_BATCH = 500;

/** A row that is processed in the background. */
export interface LeasedRow {
  id: string;
}

/** A row that belongs to this instance until `lease` passes, in its state when it was claimed. */
export interface Claim<T> {
  row: T;
  lease: Date;
}

/** How far ahead a due time is at most. */
export interface DueWithin<T> {
  ms: number;
  /** The rows for which this holds; all if omitted. */
  where?: FindOptionsWhere<T>;
}

/** A table whose rows are processed when they are due. */
export interface LeasedTable<T extends LeasedRow> {
  entity: EntityTarget<T>;
  /** The worker's name in the metrics. */
  worker: string;
  /** Whether nothing processes the rows, so that none is late. */
  isOff?: boolean;
  /**
   * The due time of a row. A claim moves it to the end of the lease, so the value also shows whether the claim is still
   * valid.
   */
  dueAt: keyof T & string;
  /** The meaning of null in `dueAt`. */
  withoutTime: 'due' | 'finished';
  /**
   * How far ahead due times are at most: the longest lease, pause or retry. Rows with a later time were written before the
   * clock was set back, and become due within about a minute. Otherwise nobody would process them until the clock
   * reaches that time.
   */
  dueWithin: readonly DueWithin<T>[];
  /** The properties that {@link ClaimQuery.choose} requires, preferably all in one index. */
  candidate: readonly (keyof T & string)[];
  /**
   * Reads and locks whole rows inside the unit of work of a claim, skipping rows that others have locked. Omitted for
   * tables without MACs. Altered rows are leased, so that they do not stay first in line, but not returned.
   */
  read?: (where: FindOptionsWhere<T>) => Promise<FoundRows<T>>;
}

/** The rows to claim. */
export interface ClaimQuery<T, C> {
  /** The maximum number of candidates to read, oldest first. */
  limit: number;
  /** Rows that became due before this time are not read. Rows without a time are always read if null means due. */
  since?: Date | undefined;
  /** The end of the lease. */
  lease: Date;
  /** Alternative conditions, one of which a row must satisfy; if omitted, all rows qualify. */
  where?: FindOptionsWhere<T>[];
  /** Selects the candidates to claim. */
  choose?: (candidates: C[]) => readonly C[] | Promise<readonly C[]>;
}

/**
 * Uses rows as a queue: one instance claims each due row, and processes it during its lease. A result is saved only if
 * the claim is still valid. Therefore nobody waits for an instance that has ended, and a late result does no harm.
 *
 * Candidates are read without a lock and then locked by their ids: a locking range scan would block inserts of rows
 * that are due now. Two instances that read the same candidates skip each other's rows. SQLite runs units of work one
 * after the other.
 */
export class LeasedRows<T extends LeasedRow, C extends LeasedRow = LeasedRow> {
  private readonly logger = new Logger(LeasedRows.name);
  /** When to look for due times that are too late, on the clock of `performance.now()`. */
  private lookAt = -Infinity;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: WorkerMetrics,
    private readonly table: LeasedTable<T>,
  ) {
    if (table.isOff !== true) metrics.add(table.worker, () => this.lagSeconds());
  }

  /** Claims due rows, oldest first. Only one instance gets each row. */
  async claim({ limit, since, lease, where = [{}], choose }: ClaimQuery<T, C>): Promise<Claim<T>[]> {
    await this.takeLate();
    const candidates = await this.candidates(where, limit, since);
    const chosen = choose && candidates.length > 0 ? await choose(candidates) : candidates;
    if (chosen.length === 0) return [];
    const ids = chosen.map(({ id }) => id);
    const rows = await this.unitOfWork.run(() => this.take(ids, lease));
    this.metrics.countClaimed(this.table.worker, rows.size);
    return ids.flatMap((id) => {
      const row = rows.get(id);
      return row ? [{ row, lease }] : [];
    });
  }

  /**
   * Saves a result if the claim is still valid.
   *
   * @param changes including the next due time, unless the row is to become due when the lease ends
   * @param also further conditions
   * @returns false if the row was claimed, changed or deleted meanwhile
   */
  async complete(
    { row, lease }: Claim<LeasedRow>,
    changes: Partial<T>,
    also: FindOptionsWhere<T> = {},
  ): Promise<boolean> {
    const claimed = this.where({ ...also, id: row.id }, lease);
    const { affected } = await this.unitOfWork.runStatement(() =>
      this.repository.update(claimed, changes as object),
    );
    if (affected === 0) this.unitOfWork.afterCommit(() => this.metrics.countLost(this.table.worker));
    return affected !== 0;
  }

  /** Ends a claim early, so that the row is due again. */
  async release({ row, lease }: Claim<LeasedRow>): Promise<void> {
    const claimed = this.where({ id: row.id }, lease);
    const due = { [this.table.dueAt]: new Date() } as object;
    await this.unitOfWork.runStatement(() => this.repository.update(claimed, due));
  }

  private async takeLate(): Promise<void> {
    if (performance.now() < this.lookAt) return;
    this.lookAt = performance.now() + LATE_EVERY_MS;
    for (const { ms, where = {} } of this.table.dueWithin) {
      const late = this.where(where, MoreThan(new Date(Date.now() + ms + CLOCK_DIFFERENCE_MS)));
      const found = await this.repository.find({
        select: { id: true } as FindOptionsSelect<T>,
        where: late,
        take: LATE_BATCH,
      });
      if (found.length === LATE_BATCH) this.lookAt = -Infinity;
      if (found.length > 0) await this.makeDue({ ...late, id: In(found.map(({ id }) => id)) });
    }
  }

  private async makeDue(which: FindOptionsWhere<T>): Promise<void> {
    const due = { [this.table.dueAt]: new Date() } as object;
    const { affected } = await this.unitOfWork.runStatement(() => this.repository.update(which, due));
    this.logger.warn('Rows were due too late, as if the clock had been set back, and are due now', {
      worker: this.table.worker,
      rows: affected,
    });
  }

  private candidates(where: FindOptionsWhere<T>[], limit: number, since: Date | undefined): Promise<C[]> {
    const { candidate, dueAt, withoutTime } = this.table;
    const now = new Date();
    const due = [
      since ? Between(since, now) : LessThanOrEqual(now),
      ...(withoutTime === 'due' ? [IsNull()] : []),
    ];
    return this.repository.find({
      select: Object.fromEntries(['id', ...candidate].map((name) => [name, true])) as FindOptionsSelect<T>,
      where: due.flatMap((time) => where.map((one) => this.where(one, time))),
      order: { [dueAt]: 'ASC' } as FindOptionsOrder<T>,
      take: limit,
    }) as Promise<object[]> as Promise<C[]>;
  }

  private async take(ids: string[], lease: Date): Promise<Map<string, T>> {
    const { intact, altered } = await this.read({ id: In(ids) } as FindOptionsWhere<T>);
    const due = intact.filter((row) => this.isDue(row));
    const taken = [...due.map(({ id }) => id), ...altered];
    if (taken.length > 0)
      await this.repository.update(
        { id: In(taken) } as FindOptionsWhere<T>,
        { [this.table.dueAt]: lease } as object,
      );
    return new Map(due.map((row) => [row.id, row]));
  }

  private async read(where: FindOptionsWhere<T>): Promise<FoundRows<T>> {
    if (this.table.read) return this.table.read(where);
    const lock = { mode: 'pessimistic_write', onLocked: 'skip_locked' } as const;
    const intact = await this.repository.find({ where, ...(this.unitOfWork.locksRows && { lock }) });
    return { intact, altered: [] };
  }

  private isDue(row: T): boolean {
    const time = row[this.table.dueAt] as Date | null;
    return time === null ? this.table.withoutTime === 'due' : time <= new Date();
  }

  private async lagSeconds(): Promise<number> {
    const { dueAt } = this.table;
    const oldest = await this.repository.findOne({
      select: { id: true, [dueAt]: true } as FindOptionsSelect<T>,
      where: this.where({}, Not(IsNull())),
      order: { [dueAt]: 'ASC' } as FindOptionsOrder<T>,
    });
    const since = (oldest?.[dueAt] as Date | undefined)?.getTime() ?? Infinity;
    return Math.max(0, (Date.now() - since) / 1000);
  }

  private where(conditions: object, time: unknown): FindOptionsWhere<T> {
    return { ...conditions, [this.table.dueAt]: time } as FindOptionsWhere<T>;
  }

  private get repository(): Repository<T> {
    return this.unitOfWork.repository(this.table.entity);
  }
}
