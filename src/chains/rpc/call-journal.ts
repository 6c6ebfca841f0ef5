/** A call that another process began and did not complete. */
export interface Interruption {
  /** How long the endpoint is to be left alone, in milliseconds. */
  restMs: number;
  /** It has happened several times, and just now: the endpoint is not to be called even where there is no other. */
  isBarred: boolean;
}

/**
 * Remembers beyond the end of the process that a call is under way, for calls whose response could bring the process down:
 * the first one to an endpoint, and those with a large response. It never fails; where it cannot record a call, the call is made all the same.
 */
export interface CallJournal {
  /** Whether a call to the origin of this URL was interrupted lately. */
  interruptionOf(url: string): Promise<Interruption | undefined>;
  /** Does the work that belongs to a call; a process that ends meanwhile leaves an interruption. */
  watch<T>(url: string, work: () => Promise<T>): Promise<T>;
}
