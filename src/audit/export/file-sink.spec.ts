import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TimeLimit } from '../../common/event-loop/time-limit';
import type { AuditEventEntity } from '../audit-event.entity';
import { FileSink } from './file-sink';

describe('FileSink', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'file-sink-'));
    path = join(folder, 'audit.ndjson');
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (
    chain: number,
    events: number,
    text = '',
    sink = FileSink.open(path),
    limitMs = 10_000,
  ): Promise<void> => {
    const limit = new TimeLimit(limitMs);
    const written = sink.write(
      Array.from({ length: events }, (_, i) => ({
        chain,
        sequence: i + 1,
        at: new Date(),
        changes: { name: { before: null, after: text } },
      })) as Partial<AuditEventEntity>[] as AuditEventEntity[],
      limit.signal,
    );
    return written.finally(() => {
      limit.clear();
    });
  };

  const lines = (): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

  it('writes whole lines when several chains are written at the same time', async () => {
    const chains = [1, 2, 3, 4];
    await Promise.all(chains.map((chain) => write(chain, 500, 'x'.repeat(4000))));
    const ids = lines().map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toHaveLength(2000);
    for (const chain of chains)
      expect(ids.filter((id) => id.startsWith(`${chain}-`)).at(-1)).toBe(`${chain}-500`);
  });

  it('writes whole lines when one sink receives several chains at the same time', async () => {
    const sink = FileSink.open(path);
    await Promise.all([1, 2, 3, 4].map((chain) => write(chain, 50, 'x'.repeat(4000), sink)));
    expect(lines().map((line) => (JSON.parse(line) as { id: string }).id)).toHaveLength(200);
  });

  it('times out when the file system hangs, blocks one thread at most, and writes again once it responds', async () => {
    // Nobody reads from this pipe, so a write of more than 64 KiB blocks.
    const sink = FileSink.open(path);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    const hanging = [1, 2, 3, 4, 5, 6].map((chain) => write(chain, 100, 'x'.repeat(4000), sink, 50));
    expect(await Promise.allSettled(hanging)).toEqual(
      hanging.map(() => ({ status: 'rejected', reason: new Error('took longer than 50 ms') })),
    );
    await expect(write(7, 1, '', sink, 50)).rejects.toThrow('took longer than 50 ms');
    await expect(stat(folder)).resolves.toBeDefined();

    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    rmSync(path);
    const buffer = Buffer.alloc(1024 * 1024);
    for (let read = 0; read < 400_000;) {
      await sleep(5);
      try {
        read += readSync(reader, buffer);
      } catch {
        // The pipe is currently empty.
      }
    }
    closeSync(reader);
    await write(7, 1, '', sink);
    expect(lines().map((line) => line.slice(0, 11))).toEqual(['{"id":"7-1"']);
  });

  it('starts a new line after an incomplete one', async () => {
    writeFileSync(path, '{"id":"1-');
    await write(1, 2);
    expect(lines().map((line) => line.slice(0, 11))).toEqual(['{"id":"1-', '{"id":"1-1"', '{"id":"1-2"']);
  });
});
