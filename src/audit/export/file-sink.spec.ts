import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  const write = (chain: number, events: number, text = ''): Promise<void> =>
    FileSink.open(path).write(
      Array.from({ length: events }, (_, i) => ({
        chain,
        sequence: i + 1,
        at: new Date(),
        changes: { name: { before: null, after: text } },
      })) as Partial<AuditEventEntity>[] as AuditEventEntity[],
    );

  const lines = (): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');

  it('keeps lines whole where several chains are written at the same time', async () => {
    const chains = [1, 2, 3, 4];
    await Promise.all(chains.map((chain) => write(chain, 500, 'x'.repeat(4000))));
    const ids = lines().map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toHaveLength(2000);
    for (const chain of chains)
      expect(ids.filter((id) => id.startsWith(`${chain}-`)).at(-1)).toBe(`${chain}-500`);
  });

  it('begins a line of its own where a part of one was left', async () => {
    writeFileSync(path, '{"id":"1-');
    await write(1, 2);
    expect(lines().map((line) => line.slice(0, 11))).toEqual(['{"id":"1-', '{"id":"1-1"', '{"id":"1-2"']);
  });
});
