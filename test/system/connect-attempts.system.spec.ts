import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prints how long Node lets a process try an address of a name with several. */
const REPORT = `process.on('exit', () => console.log('attempt', require('node:net').getDefaultAutoSelectFamilyAttemptTimeout()))`;

/** The clients of MySQL and Redis use the default of the process. */
describe('The time for an attempt to connect', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-attempts-'));
    writeFileSync(join(folder, 'report.cjs'), REPORT);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function attemptMs(program: string, ...args: string[]): number {
    const { stdout } = spawnSync(
      process.execPath,
      ['-r', join(folder, 'report.cjs'), join(__dirname, '../../dist', program), ...args],
      // The service refuses this NODE_ENV, and exits.
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, NODE_ENV: 'nonsense' } },
    );
    return Number(/attempt (\d+)/.exec(stdout)?.[1]);
  }

  it('is a second in the process of the service', () => {
    expect(attemptMs('main.js')).toBe(1000);
  });

  it.each(['migrate', 'doctor', 'storage-rotate'])('is a second in the command %s', (command) => {
    expect(attemptMs(`commands/${command}.js`, '--unknown')).toBe(1000);
  });

  it('is left as it is in a program that embeds the service', () => {
    expect(attemptMs('public.js')).toBe(getDefaultAutoSelectFamilyAttemptTimeout());
  });
});
