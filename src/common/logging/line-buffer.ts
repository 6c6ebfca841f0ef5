/** Characters from which on lines do not wait for the end of the turn. */
const MAX_LENGTH = 64 * 1024;

/**
 * Writes the lines of one turn of the event loop together: to a file or a pipe each write is a system call that the
 * process waits for.
 */
export class LineBuffer {
  #lines = '';

  /** @param write takes whole lines, and has kept them when it returns */
  constructor(private readonly write: (lines: string) => void) {}

  add(line: string): void {
    if (this.#lines === '') setImmediate(this.flush);
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
