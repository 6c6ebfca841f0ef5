/** A state that contradicts an earlier one is accepted after this long, */
const BELIEVED_AFTER_MS = 4000;
/** and this many blocks; or, if there are no new blocks, */
const BELIEVED_AFTER_BLOCKS = 2;
/** after this long. */
const BELIEVED_WITHOUT_BLOCKS_MS = 20_000;

interface Doubt {
  since: number;
  head: number;
}

/** Contradictions between responses of nodes. A single response decides nothing, because endpoints lag behind each other. */
export class Doubts {
  private readonly doubts = new Map<string, Doubt>();

  /** @param now milliseconds of a monotonic clock */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Whether a contradiction has lasted.
   *
   * @param what names it; {@link settled} must be called when it is over
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
