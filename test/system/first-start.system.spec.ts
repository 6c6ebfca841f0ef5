import { spawnSync, type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiKey, storageKey } from '../support/keys';
import { freePort, until } from '../support/private-servers';

const MAIN = join(__dirname, '../../dist/main.js');

/** The built service in an empty folder. */
describe('The first start', () => {
  let folder: string;
  let child: ChildProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relayer-first-'));
    child = undefined;
  });

  afterEach(() => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts the service, stops it once it listens, and returns its output. */
  const startAndStop = async (): Promise<string> => {
    let output = '';
    const port = String(await freePort());
    const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: port };
    child = spawn(process.execPath, [MAIN], { cwd: folder, env });
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = new Promise((resolve) => child?.once('close', resolve));
    await until('the service', () => output.includes('"message":"Listening"'), child);
    child.kill('SIGINT');
    await ended;
    return output;
  };

  it('logs once where it has saved the keys that it has generated, and no key', async () => {
    const first = await startAndStop();
    const generated = first
      .split('\n')
      .filter((line) => line.includes('"Key generated"'))
      .map((line) => JSON.parse(line) as object);
    const [key, storage] = ['api-key', 'storage-encryption-key'].map((name) => join(folder, 'data', name));
    expect(generated).toEqual([
      expect.objectContaining({ level: 'info', variable: 'API_KEY', file: key }),
      expect.objectContaining({ level: 'info', variable: 'STORAGE_ENCRYPTION_KEY', file: storage }),
    ]);
    for (const file of [key!, storage!]) expect(first).not.toContain(readFileSync(file, 'utf8').trim());
    expect(await startAndStop()).not.toContain('Key generated');
  });

  it('creates no database if the configuration file is not there, and names every fault', () => {
    const env = {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      API_KEY: apiKey('first'),
      STORAGE_ENCRYPTION_KEY: storageKey(1),
      DATABASE_URL: `sqlite:${join(folder, 'relayer.sqlite')}`,
      CONFIG_FILE: '/nope/config.json',
      PORT: 'x',
    };
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    const lines = (stdout + stderr).split('\n').filter((line) => /PORT|CONFIG_FILE/.test(line));
    expect(lines).toEqual([
      expect.stringMatching(/^PORT /),
      'CONFIG_FILE /nope/config.json cannot be read: it does not exist',
    ]);
    expect(existsSync(join(folder, 'relayer.sqlite'))).toBe(false);
  });

  it('creates nothing if CONFIG_FILE cannot be read, so that the next start says where its keys are', () => {
    const env = { PATH: process.env.PATH, CONFIG_FILE: '/nope/config.json' };
    const { status } = spawnSync(process.execPath, [MAIN], { cwd: folder, env });
    expect([status, readdirSync(folder)]).toEqual([1, []]);
  });
});
