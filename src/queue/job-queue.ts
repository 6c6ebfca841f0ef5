/**
 * Carries ids of jobs to whoever works on them, as soon as possible. It may lose ids and repeat them: the rows are
 * the truth, and whoever owns them sweeps up what was lost.
 */
export interface JobQueue {
  /** Hands ids over; never rejects and waits for no outage: what cannot be queued is dropped (and counted). */
  add(ids: readonly string[]): Promise<void>;

  /**
   * Begins to work. `work` is called once per id that arrives, at most `concurrency` at a time; what it throws is
   * logged and forgotten. It belongs to no request or unit of work of whoever added the id. Called once.
   */
  process(concurrency: number, work: (id: string) => Promise<void>): void;

  /** Ids that wait now; undefined where the queue cannot be asked. */
  depth(): Promise<number | undefined>;

  /** Takes no more ids, waits up to 2 s for work that is under way, lets go of connections. Idempotent. */
  close(): Promise<void>;
}
