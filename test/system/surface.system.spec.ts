import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const PORT = 'dist/signing/signing.api.d.ts';

/** The command that CI runs, on a copy of the built package that each test modifies. */
describe('surface/run.cjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relayer-surface-'));
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const change = (file: string, from: string | RegExp, to: string): void => {
    const text = read(file);
    expect(text).toMatch(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  const run = (...options: string[]): { status: number | null; stderr: string } => {
    const { status, stderr } = spawnSync(process.execPath, ['surface/run.cjs', ...options], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, stderr };
  };
  const setVersion = (version: string): void => {
    change('package.json', /"version": "[^"]+"/, `"version": "${version}"`);
  };

  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    for (const part of ['dist', 'surface', 'package.json', 'docs/reference/public-surface.md'])
      cpSync(join(ROOT, part), join(folder, part), {
        recursive: true,
        filter: (path) => !/\.(?:js|map)$/.test(path),
      });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { version } = JSON.parse(read('package.json')) as { version: string };
    // As after the release of the current surface.
    setVersion('1.4.0');
    change('docs/reference/public-surface.md', `Version ${version}`, 'Version 1.4.0');
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('succeeds for the documented surface', () => {
    expect(run('--check')).toEqual({ status: 0, stderr: '' });
  });

  it('fails after a method was added, until the minor version is raised', () => {
    change(PORT, 'abstract class SigningApi {', 'abstract class SigningApi { abstract signAll(): void;');
    expect(run('--check').stderr).toContain('and the version is 1.4.0: it takes 1.5.0');
    expect(run()).toMatchObject({ status: 1 });
    setVersion('1.5.0');
    expect(run('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('is not up to date') });
    expect(run()).toEqual({ status: 0, stderr: '' });
    expect(run('--check')).toEqual({ status: 0, stderr: '' });
  });

  it('fails after a method was changed, until the major version is raised', () => {
    change(PORT, 'signMessage(relayerId: string', 'signMessage(relayerId: number');
    setVersion('1.5.0');
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('it takes 2.0.0') });
    setVersion('2.0.0');
    expect(run()).toEqual({ status: 0, stderr: '' });
    expect(run('--check')).toEqual({ status: 0, stderr: '' });
  });
});
