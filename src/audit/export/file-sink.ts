import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { AuditEventEntity } from '../audit-event.entity';
import { toAuditLines } from '../events/audit-event.response';
import type { AuditSink } from './audit-sink';

const OWNER_ONLY = 0o600;
const NEWLINE = 10;

/**
 * Appends NDJSON to a file. The file is opened for each batch, so that it may be renamed at any time. A file system
 * call that hangs cannot be aborted, and it occupies one of the few threads that the process shares for files, name
 * lookups and key derivation. Therefore only one batch is written at a time, and the next begins only when that has
 * ended.
 */
export class FileSink implements AuditSink {
  /** Settles when the batch that is being written has ended, whether it succeeded or not. */
  private writing: Promise<void> | undefined;

  private constructor(private readonly path: string) {}

  /** @throws Error with a code if the file cannot be written */
  static open(path: string): FileSink {
    closeSync(openSync(path, 'a', OWNER_ONLY));
    return new FileSink(path);
  }

  async write(events: readonly AuditEventEntity[], signal: AbortSignal): Promise<void> {
    while (this.writing) await unlessAborted(this.writing, signal);
    signal.throwIfAborted();
    const written = this.append(events);
    this.writing = written
      .catch(() => undefined)
      .then(() => {
        this.writing = undefined;
      });
    await unlessAborted(written, signal);
  }

  private async append(events: readonly AuditEventEntity[]): Promise<void> {
    const file = await open(this.path, 'a+', OWNER_ONLY);
    try {
      // A full disk may have left an incomplete line behind.
      const start = (await endsInLine(file)) ? '' : '\n';
      await appendAtOnce(file, Buffer.from(start + toAuditLines(events)));
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/**
 * Writes all lines with a single call. Other chains are appended at the same time, by this process and by others: their
 * lines could end up between two writes.
 */
async function appendAtOnce(file: FileHandle, lines: Buffer): Promise<void> {
  const { bytesWritten } = await file.write(lines);
  if (bytesWritten < lines.length) throw new Error('The file did not take all of the lines');
}

async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}

/** Waits for work until the signal is aborted. The work itself continues. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
