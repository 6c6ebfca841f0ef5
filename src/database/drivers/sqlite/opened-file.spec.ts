import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { OpenedFile } from './opened-file';

describe('OpenedFile', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'opened-file-'));
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  it('logs once that the file is gone, and once that it is back', () => {
    const lines: unknown[] = [];
    const keep = (...line: unknown[]) => lines.push(line);
    for (const level of ['error', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation(keep);
    const path = join(folder, 'relayer.sqlite');
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(path, 'content');
    const file = new OpenedFile(path);
    file.remember();
    file.assertInPlace();
    expect(lines).toEqual([]);
    for (let times = 1; times <= 2; times += 1) {
      renameSync(path, elsewhere);
      for (let checks = 1; checks <= 2; checks += 1)
        expect(() => file.assertInPlace()).toThrow(expect.objectContaining({ code: 'unavailable' }));
      renameSync(elsewhere, path);
      file.assertInPlace();
      file.assertInPlace();
    }
    const gone = [
      'The database file was deleted or replaced: nothing is read or stored until it is back, or until a restart',
      { file: path },
    ];
    const back = ['The database file is back', { file: path }];
    expect(lines).toEqual([gone, back, gone, back]);
  });
});
