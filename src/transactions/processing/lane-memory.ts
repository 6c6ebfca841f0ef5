const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A state that contradicts an earlier one is believed after this long, */
const BELIEVED_AFTER_MS = 4000;
/** and this many blocks; or, where no blocks come, */
const BELIEVED_AFTER_BLOCKS = 2;
/** after this long. */
const BELIEVED_WITHOUT_BLOCKS_MS = 20_000;

interface Pause {
  failures: number;
  until: number;
}

interface Doubt {
  since: number;
  head: number;
}

/**
 * What an instance remembers of an account while it processes it. It only saves work: another instance that takes the account
 * over begins without it.
 */
export class LaneMemory {
  private readonly pauses = new Map<string, Pause>();
  private readonly doubts = new Map<string, Doubt>();
  /** The depth at which a mined transaction was last looked at. */
  readonly depths = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether a transaction may be tried again. */
  mayTry(id: string): boolean {
    return this.now() >= (this.pauses.get(id)?.until ?? -Infinity);
  }

  /** A try had no success: the next one waits, longer each time. */
  failed(id: string): void {
    const failures = (this.pauses.get(id)?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.pauses.set(id, { failures, until: this.now() + pause });
  }

  succeeded(id: string): void {
    this.pauses.delete(id);
  }

  /** When the next of the pauses ends, in milliseconds from now; undefined where there is none. */
  get nextTry(): number | undefined {
    const ends = [...this.pauses.values()].map(({ until }) => until - this.now()).filter((left) => left > 0);
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  /**
   * Whether a state that one response of a node contradicts has lasted: a single response decides nothing.
   *
   * @param what names the state; it must be reported by {@link settled} when it is over
   */
  hasLasted(what: string, head: number): boolean {
    const doubt = this.doubts.get(what);
    if (!doubt) {
      this.doubts.set(what, { since: this.now(), head });
      return false;
    }
    const lasted = this.now() - doubt.since;
    const blocks = Math.abs(head - doubt.head);
    return (
      lasted >= BELIEVED_WITHOUT_BLOCKS_MS || (lasted >= BELIEVED_AFTER_MS && blocks >= BELIEVED_AFTER_BLOCKS)
    );
  }

  settled(what: string): void {
    this.doubts.delete(what);
  }

  /** Forgets a transaction that is final. */
  forget(id: string): void {
    this.pauses.delete(id);
    this.depths.delete(id);
    this.doubts.delete(`receipt ${id}`);
    this.doubts.delete(`nonce ${id}`);
  }
}
