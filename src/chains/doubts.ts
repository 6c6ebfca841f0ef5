/** A contradiction is believed once it has lasted this long, and the chain has advanced by this many blocks. */
const BELIEVED_AFTER_MS = 4000;
const BELIEVED_AFTER_BLOCKS = 2;
/** If the chain does not advance, a contradiction is believed after this time. */
const BELIEVED_WITHOUT_BLOCKS_MS = 20_000;

interface Doubt {
  since: number;
  head: number;
}

/**
 * Tracks responses of nodes that contradict earlier ones. A single response decides nothing, because endpoints lag
 * behind each other.
 */
export class Doubts {
  private readonly doubts = new Map<string, Doubt>();

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Whether a contradiction has lasted long enough to be believed.
   *
   * @param what identifies the contradiction; {@link settled} must be called when it is over
   * @param head the newest block that the node knows
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
}
