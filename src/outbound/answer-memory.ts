const MAX_BYTES = 64 * 1024 * 1024;
/** Buffers up to this size are not counted: the connections bound how many there are. A buffer grows to twice its content. */
const SMALL_BYTES = 128 * 1024;

/** The memory that the answers of all calls may take together while they are read. Those of up to 64 KiB are always read. */
export class AnswerMemory {
  private taken = 0;

  /** Counts a buffer that goes from one size to another. False, and nothing is counted, where it may not grow so far. */
  resize(from: number, to: number): boolean {
    const taken = this.taken + counted(to) - counted(from);
    if (taken > MAX_BYTES) return false;
    this.taken = taken;
    return true;
  }
}

const counted = (bytes: number): number => (bytes > SMALL_BYTES ? bytes : 0);
