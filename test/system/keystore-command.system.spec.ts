import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decryptKeystoreJson } from 'ethers';

const PASSPHRASE = 'correct horse battery staple';

describe('npm run keystore', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'keystore-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (args: string[], options: { input?: string; env?: Record<string, string> } = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/commands/keystore.js', ...args], {
      input: options.input ?? '',
      env: { PATH: process.env.PATH, ...options.env },
      encoding: 'utf8',
      timeout: 25_000,
    });
    return { status, stdout, stderr };
  };

  it.each([
    ['standard input', { input: `${PASSPHRASE}\n` }],
    ['the environment', { env: { KEYSTORE_PASSPHRASE: PASSPHRASE } }],
  ])('creates a keystore with the passphrase from %s', async (_source, given) => {
    const file = join(folder, 'keys', 'treasury.json');
    const { status, stdout } = run(['create', file], given);
    const account = await decryptKeystoreJson(readFileSync(file, 'utf8'), PASSPHRASE);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `Created ${file} with a new key for ${account.address}\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700);
  });

  it('does not overwrite a file', () => {
    const file = join(folder, 'treasury.json');
    writeFileSync(file, 'precious');
    expect(run(['create', file], { input: `${PASSPHRASE}\n` })).toEqual({
      status: 1,
      stdout: '',
      stderr: `${file} exists and is not overwritten\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('does not report an existing file if its folder cannot be created', () => {
    writeFileSync(join(folder, 'keys'), 'precious');
    const file = join(folder, 'keys', 'treasury.json');
    expect(run(['create', file], { input: `${PASSPHRASE}\n` })).toEqual({
      status: 1,
      stdout: '',
      stderr: `${file} cannot be created: EEXIST\n`,
    });
  });

  it.each([
    ['no passphrase', '', {}],
    ['a short one', 'short\n', {}],
    ['a blank variable', `${PASSPHRASE}\n`, { KEYSTORE_PASSPHRASE: '' }],
  ])('refuses %s', (_what, input, env) => {
    const file = join(folder, 'treasury.json');
    expect(run(['create', file], { input, env })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The passphrase must have at least 12 characters\n',
    });
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('refuses a passphrase that programs encode differently', () => {
    const file = join(folder, 'treasury.json');
    const { status, stderr } = run(['create', file], { input: 'cafe\u0301 of the cow\n' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^The passphrase has characters that programs encode differently, .+\n$/),
    });
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it.each([[[]], [['create']], [['open', 'a']], [['create', 'a', PASSPHRASE]]])(
    'prints its usage for %p',
    (args) => {
      expect(run(args)).toEqual({
        status: 1,
        stdout: '',
        stderr: 'Usage: npm run keystore -- create <file>\n',
      });
    },
  );
});
