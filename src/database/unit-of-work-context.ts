import type { EntityManager } from 'typeorm';
import { ContextVariable } from '../common/context/context-variable';

/** Takes part in the end of a transaction. */
export interface CommitHook {
  /** Writes the last rows of the transaction, once its work is done. What it throws rolls everything back. */
  beforeCommit(): Promise<void>;
  /**
   * The transaction is over. It must not throw.
   *
   * @param isCommitted false where it was rolled back, and where the connection was lost and nobody knows
   */
  ended(isCommitted: boolean): void;
}

/** A transaction in progress, and what happens at its end. */
export interface CurrentUnitOfWork {
  readonly manager: EntityManager;
  /** By their owners, in the order in which they are called. */
  readonly hooks: Map<object, CommitHook>;
  readonly afterCommits: (() => void)[];
  /** Whether rows that are locked by others are waited for. */
  readonly waitsForRows: boolean;
}

/** The unit of work that the current call is part of. */
export const unitOfWorkContext = new ContextVariable<CurrentUnitOfWork>();
