/** Twice the largest response that may be asked for, and something beside it. */
const MAX_BYTES = 24 * 1024 * 1024;
/** What one origin may take of it: no node keeps the responses of all others from being read. */
const MAX_BYTES_OF_ORIGIN = 16 * 1024 * 1024;
/** Bodies up to this size are not counted: the connections bound how many there are. */
const SMALL_BYTES = 128 * 1024;

/** The memory that the answers of all calls may take together until they are read. Those of up to 128 KiB are always read. */
export class AnswerMemory {
  private taken = 0;
  private readonly byOrigin = new Map<string, number>();

  /** Counts a body that goes from one size to another. False, and nothing is counted, where it may not grow so far. */
  resize(origin: string, from: number, to: number): boolean {
    const change = counted(to) - counted(from);
    if (change === 0) return true;
    const ofOrigin = (this.byOrigin.get(origin) ?? 0) + change;
    if (this.taken + change > MAX_BYTES || ofOrigin > MAX_BYTES_OF_ORIGIN) return false;
    this.taken += change;
    if (ofOrigin > 0) this.byOrigin.set(origin, ofOrigin);
    else this.byOrigin.delete(origin);
    return true;
  }
}

const counted = (bytes: number): number => (bytes > SMALL_BYTES ? bytes : 0);
