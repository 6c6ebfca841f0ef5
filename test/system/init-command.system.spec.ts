import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const INIT = join(__dirname, '../../dist/commands/init.js');

describe('npm run init', () => {
  let root: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'relayer-init-'));
    writeFileSync(join(root, 'file'), 'content');
    mkdirSync(join(root, 'empty'));
  });

  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  const init = (...args: string[]): { status: number | null; stderr: string } => {
    const { status, stderr } = spawnSync(process.execPath, [INIT, ...args], { encoding: 'utf8' });
    return { status, stderr };
  };

  it('creates a plugin in a new folder and in an empty one', () => {
    for (const name of ['new', 'empty']) {
      expect(init(join(root, name))).toEqual({ status: 0, stderr: '' });
      expect(existsSync(join(root, name, 'package.json'))).toBe(true);
    }
  });

  it('keeps data and settings out of git, and switches off the reports of a dependency', () => {
    const path = join(root, 'safe');
    expect(init(path)).toEqual({ status: 0, stderr: '' });
    const ignored = readFileSync(join(path, '.gitignore'), 'utf8').split('\n');
    expect(ignored).toEqual(['.env', 'data/', 'dist/', 'node_modules/', '']);
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ scarfSettings: { enabled: false } });
  });

  it.each([
    ['', 'is not empty'],
    ['file', 'cannot be created: EEXIST'],
    ['file/plugin', 'cannot be created: ENOTDIR'],
  ])('refuses %j with a one-line error', (name, reason) => {
    const path = join(root, name);
    expect(init(path)).toEqual({ status: 1, stderr: `${path} ${reason}\n` });
  });

  it('prints its usage without arguments', () => {
    expect(init()).toEqual({ status: 1, stderr: 'Usage: npm run init -- <folder>\n' });
  });
});
