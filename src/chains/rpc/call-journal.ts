/** A call that another process began and has not completed. */
export interface Interruption {
  /** How long the endpoint should rest, in milliseconds. */
  restMs: number;
  /** Whether the endpoint must not be called even if there is no other, because of several recent interruptions. */
  isBarred: boolean;
}

/**
 * Records that a call is in progress, so that it is known even if the process ends. For calls whose response could
 * crash the process: the first one to an endpoint, and those with a large response. It never fails: if it cannot record
 * a call, the call is made anyway.
 */
export interface CallJournal {
  /** A recent interruption of a call to the origin of this URL. */
  interruptionOf(url: string): Promise<Interruption | undefined>;
  /**
   * The same, for an endpoint without an alternative. If it would be barred because of a call that another process may
   * still be making, that call is awaited first: it may well complete.
   */
  interruptionAfterOthers(url: string): Promise<Interruption | undefined>;
  /** Runs the work of a call. If the process ends meanwhile, the record shows an interruption. */
  watch<T>(url: string, work: () => Promise<T>): Promise<T>;
}
