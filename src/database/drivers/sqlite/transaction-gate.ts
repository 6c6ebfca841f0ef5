import type { Eventually } from '../../../common/event-loop/eventually';

/** A query runner. */
type Session = object;

interface Waiting {
  session: Session;
  exclusive: boolean;
  admit: () => void;
}

/**
 * Schedules the statements and transactions on a shared connection: statements run concurrently, a transaction runs
 * alone. All are admitted in the order of arrival, except that statements may be held back while transactions continue.
 */
export class TransactionGate {
  #owner: Session | undefined;
  #statements = 0;
  #holdsStatements = false;
  readonly #queue: Waiting[] = [];

  /** Runs a statement: immediately within the session's own transaction, otherwise when no transaction is open. */
  async statement<T>(session: Session, run: () => Eventually<T>): Promise<T> {
    if (this.#owner === session) return run();
    // The queue is usually empty, and a promise costs time.
    if (this.#queue.length === 0 && this.isFree(false)) this.#statements += 1;
    else await this.enter(session, false);
    try {
      return await run();
    } finally {
      this.#statements -= 1;
      this.admitNext();
    }
  }

  /** Resolves when the session has exclusive use, which lasts until {@link end}. */
  begin(session: Session): Promise<void> {
    return this.enter(session, true);
  }

  /** Ends the session's transaction; does nothing if it has none. */
  end(session: Session): void {
    if (this.#owner !== session) return;
    this.#owner = undefined;
    this.admitNext();
  }

  /** Holds back statements, but not transactions, until {@link letStatements}. */
  holdStatements(): void {
    this.#holdsStatements = true;
  }

  letStatements(): void {
    this.#holdsStatements = false;
    this.admitNext();
  }

  /** The session whose transaction is open. */
  get owner(): Session | undefined {
    return this.#owner;
  }

  private enter(session: Session, exclusive: boolean): Promise<void> {
    return new Promise((admit) => {
      this.#queue.push({ session, exclusive, admit });
      this.admitNext();
    });
  }

  private admitNext(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      if (next.exclusive) this.#owner = next.session;
      else this.#statements += 1;
      next.admit();
    }
  }

  /** Removes the next session that may be admitted from the queue. */
  private next(): Waiting | undefined {
    const index = this.#holdsStatements ? this.#queue.findIndex(({ exclusive }) => exclusive) : 0;
    const next = this.#queue[index];
    if (next === undefined || !this.isFree(next.exclusive)) return undefined;
    this.#queue.splice(index, 1);
    return next;
  }

  private isFree(exclusive: boolean): boolean {
    if (this.#owner !== undefined) return false;
    return exclusive ? this.#statements === 0 : !this.#holdsStatements;
  }
}
