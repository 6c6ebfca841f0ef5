import type { EntityManager } from 'typeorm';
import { ContextVariable } from '../common/context/context-variable';

/** A participant in the end of a transaction. */
export interface CommitHook {
  /** Writes the last rows of the transaction, once its work is done. If it throws, everything is rolled back. */
  beforeCommit(): Promise<void>;
  /**
   * Called when the transaction is over. It must not throw.
   *
   * @param isCommitted false if it was rolled back, or if the connection was lost and the result is unknown
   */
  ended(isCommitted: boolean): void;
}

/** A transaction in progress, and everything to be done at its end. */
export interface CurrentUnitOfWork {
  readonly manager: EntityManager;
  /** The hooks by owner, in the order in which they are called. */
  readonly hooks: Map<object, CommitHook>;
  readonly afterCommits: (() => void)[];
  /** Whether the transaction waits for rows that others have locked. */
  readonly waitsForRows: boolean;
  /** `closing` once its work is done and hooks write their rows, `over` once it is committed or rolled back. */
  phase: 'open' | 'closing' | 'over';
}

const context = new ContextVariable<CurrentUnitOfWork>();

/** Calls `work` as a part of a unit of work. */
export const runInUnitOfWork = <R>(unit: CurrentUnitOfWork, work: () => R): R => context.run(unit, work);

/**
 * The unit of work that the current call is part of. There is none for calls that one has begun and that are still in
 * progress after its end, such as those of a timer.
 */
export function currentUnitOfWork(): CurrentUnitOfWork | undefined {
  const unit = context.get();
  return unit?.phase === 'over' ? undefined : unit;
}
