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
}

/** The unit of work that the current call is part of. */
export const unitOfWorkContext = new ContextVariable<CurrentUnitOfWork>();
