/**
 * Carries ids of jobs to whoever works on them, as soon as possible. It may lose ids and repeat them: the rows are the
 * truth, and whoever owns them sweeps up what was lost.
 */
export interface JobQueue {
  /** Hands ids over; never rejects and waits for no outage: what cannot be queued is dropped. */
  add(ids: readonly string[]): Promise<void>;

  /**
   * Begins to work, `concurrency` ids at a time. What `work` throws is logged and forgotten. Called once.
   */
  process(concurrency: number, work: (id: string) => Promise<void>): void;

  /** Ids that wait now; undefined where the queue cannot be asked. */
  depth(): Promise<number | undefined>;

  /** Takes no more ids, waits a little for running work, lets go of connections. Idempotent. */
  close(): Promise<void>;
}
