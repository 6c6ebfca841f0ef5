import {
  Between,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsSelect,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThanOrEqual,
  Not,
  type Repository,
} from 'typeorm';
import type { FoundRows } from '../database/integrity/protected-rows';
import type { UnitOfWork } from '../database/unit-of-work';
import type { WorkerMetrics } from './worker.metrics';

/** A row that is processed in the background. */
export interface LeasedRow {
  id: string;
}

/** A row that belongs to this instance until `lease` passes, in its state when it was claimed. */
export interface Claim<T> {
  row: T;
  lease: Date;
}

/** A table whose rows are processed when they are due. */
export interface LeasedTable<T extends LeasedRow> {
  entity: EntityTarget<T>;
  /** The worker's name in the metrics. */
  worker: string;
  /**
   * The due time of a row. A claim moves it to the end of the lease, so the value also shows whether the claim is still
   * valid.
   */
  dueAt: keyof T & string;
  /** The meaning of null in `dueAt`. */
  withoutTime: 'due' | 'finished';
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
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: WorkerMetrics,
    private readonly table: LeasedTable<T>,
  ) {
    metrics.add(table.worker, () => this.lagSeconds());
  }

  /** Claims due rows, oldest first. Only one instance gets each row. */
  async claim({ limit, since, lease, where = [{}], choose }: ClaimQuery<T, C>): Promise<Claim<T>[]> {
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
    if (affected === 0)
      this.unitOfWork.afterCommit(() => {
        this.metrics.countLost(this.table.worker);
      });
    return affected !== 0;
  }

  /** Ends a claim early, so that the row is due again. */
  async release({ row, lease }: Claim<LeasedRow>): Promise<void> {
    const claimed = this.where({ id: row.id }, lease);
    const due = { [this.table.dueAt]: new Date() } as object;
    await this.unitOfWork.runStatement(() => this.repository.update(claimed, due));
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
