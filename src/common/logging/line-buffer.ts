/** How long a line may wait for others. */
const WAIT_MS = 10;
/** Characters from which on lines do not wait. */
const MAX_LENGTH = 64 * 1024;

/**
 * Writes lines that come within ten milliseconds together: to a file or a pipe each write is a system call that the
 * process waits for. A process that is killed takes the lines of that time with it.
 */
export class LineBuffer {
  #lines = '';

  /** @param write takes whole lines, and has kept them when it returns */
  constructor(private readonly write: (lines: string) => void) {}

  add(line: string): void {
    if (this.#lines === '') setTimeout(this.flush, WAIT_MS);
    this.#lines += `${line}\n`;
    if (this.#lines.length >= MAX_LENGTH) this.flush();
  }

  /** Writes what waits; to be called before the process exits. */
  readonly flush = (): void => {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.write(lines);
  };
}
