import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder } from './create-folder';

describe('createFolder', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'relayer-folder-'));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const modeOf = (name: string): number => statSync(join(root, name)).mode & 0o777;

  it('creates all missing folders with the mode, and leaves others unchanged', () => {
    mkdirSync(join(root, 'a'), { mode: 0o755 });
    createFolder(join(root, 'a/b/c'), 0o700);
    createFolder(join(root, 'a/b/c'), 0o711);
    expect(['a', 'a/b', 'a/b/c'].map(modeOf)).toEqual([0o755, 0o700, 0o700]);
  });

  it('accepts a link to a folder', () => {
    mkdirSync(join(root, 'a'));
    symlinkSync('a', join(root, 'link'));
    createFolder(join(root, 'link/b'));
    expect(modeOf('a/b')).toBe(modeOf('a'));
  });

  it('refuses a file, and a path through one', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => {
      createFolder(join(root, 'file'));
    }).toThrow('EEXIST');
    expect(() => {
      createFolder(join(root, 'file/a'));
    }).toThrow('ENOTDIR');
  });

  (existsSync('/proc/self') ? it : it.skip)('ends if no folder can be created in the one that exists', () => {
    expect(() => {
      createFolder('/proc/missing/a/b');
    }).toThrow('ENOENT');
  });
});
