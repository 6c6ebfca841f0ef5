/** How long a line may wait for further lines. */
const WAIT_MS = 10;
/** The number of characters at which lines are written immediately. */
const MAX_LENGTH = 64 * 1024;

/**
 * Writes the lines of ten milliseconds together, because each write to a file or pipe is a blocking system call. If the
 * process is killed, lines that have not been written yet are lost.
 */
export class LineBuffer {
  #lines = '';

  /** @param write takes complete lines and writes them synchronously */
  constructor(private readonly write: (lines: string) => void) {}

  add(line: string): void {
    if (this.#lines === '') setTimeout(this.flush, WAIT_MS);
    this.#lines += `${line}\n`;
    if (this.#lines.length >= MAX_LENGTH) this.flush();
  }

  /** Writes the waiting lines. Called before the process exits. */
  readonly flush = (): void => {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.write(lines);
  };
}
