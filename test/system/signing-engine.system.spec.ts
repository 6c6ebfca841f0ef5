import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recoverAddress } from 'ethers';
import { send } from '../support/http';
import { describeWithAddon } from '../support/native-addon';
import { freePort, until } from '../support/private-servers';

const MAIN = join(__dirname, '../../dist/main.js');
const API_KEY = 'chosen-0123456789-0123456789-0123456789';

/** The hashes of the EIP-712 example, followed by the digest that is signed. */
const HASHES = {
  domain_separator: 'f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: 'c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};
const DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

/** Prints on exit which implementations of the curve were loaded from files. */
const WITNESS = `
  process.on('exit', () => {
    const files = Object.keys(require.cache);
    const count = (pattern) => files.filter((file) => pattern.test(file)).length;
    require('fs').writeSync(1, JSON.stringify({ witness: {
      javascript: count(/elliptic/), addons: count(/secp256k1.*\\.node$/),
    } }) + '\\n');
  });
`;

let folder: string;
let output: string;
let child: ChildProcess;
let ended: Promise<number | null>;

beforeEach(() => {
  expect(existsSync(MAIN)).toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'relayer-engine-'));
  mkdirSync(join(folder, 'no-builds'));
  writeFileSync(join(folder, 'witness.cjs'), WITNESS);
  output = '';
});

afterEach(async () => {
  child.kill('SIGKILL');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

function run(env: Record<string, string>): Promise<number | null> {
  child = spawn(process.execPath, ['--require', join(folder, 'witness.cjs'), MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH, API_KEY, HOST: '127.0.0.1', ...env },
  });
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  ended = new Promise((resolve) => child.once('close', resolve));
  return ended;
}

/** As on a platform for which the package has no build: its loader searches this folder and finds none. */
const withoutAddon = () => ({ SECP256K1_PREBUILD: join(folder, 'no-builds') });

const lines = () =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** Starts the built service, requests a signature, collects metrics and logs, and stops it. */
async function signOnce(env: Record<string, string>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  void run({ PORT: String(port), ...env });
  await until('the service', () => output.includes('"message":"Listening"'));
  const headers = { authorization: `Bearer ${API_KEY}` };
  const list = await send(url, { path: '/api/v1/relayers', headers });
  const { id, address } = list.body.data[0];
  const path = `/api/v1/relayers/${String(id)}/sign-typed-data`;
  const { body } = await send(url, { method: 'POST', path, headers, body: HASHES });
  const metrics = await send(url, { path: '/metrics/signing_engine_info' });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  return {
    recovered: recoverAddress(DIGEST, `0x${String(body.data.sig)}`) === address,
    metric: metrics.text.split('\n').filter((line) => line.startsWith('signing_engine_info')),
    log: lines().filter((line) => line.context === 'SigningEngine'),
    witness: lines().find((line) => 'witness' in line).witness,
  };
}

describe('The signing engine', () => {
  it('is WebAssembly, and never JavaScript, if the addon is missing', async () => {
    const result = await signOnce(withoutAddon());
    expect(result).toMatchObject({
      recovered: true,
      metric: ['signing_engine_info{engine="wasm"} 1'],
      log: [
        { level: 'warn', message: 'A signing engine cannot be used', engine: 'native' },
        { level: 'info', message: 'Signing engine', engine: 'wasm', keccak: 'wasm' },
      ],
      witness: { javascript: 0, addons: 0 },
    });
    expect(result.log[0].cause).toMatch(/^Error: No native build was found for platform=/);
  });

  it('is WebAssembly if SIGNING_ENGINE is wasm', async () => {
    expect(await signOnce({ SIGNING_ENGINE: 'wasm' })).toMatchObject({
      recovered: true,
      metric: ['signing_engine_info{engine="wasm"} 1'],
      log: [{ message: 'Signing engine', engine: 'wasm' }],
      witness: { javascript: 0, addons: 0 },
    });
  });

  it('prevents the start if SIGNING_ENGINE names one that is missing', async () => {
    expect(await run({ SIGNING_ENGINE: 'native', LOG_LEVEL: 'error', ...withoutAddon() })).toBe(1);
    const faults = output.split('\n').filter((line) => line.startsWith('SIGNING_ENGINE'));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^SIGNING_ENGINE finds no engine that works: native \(Error: No native build /);
    expect(output).not.toContain(folder);
  });
});

describeWithAddon('The signing engine with its addon', () => {
  it.each(['auto', 'native'])('is native for SIGNING_ENGINE=%s', async (choice) => {
    expect(await signOnce({ SIGNING_ENGINE: choice })).toMatchObject({
      recovered: true,
      metric: ['signing_engine_info{engine="native"} 1'],
      log: [{ level: 'info', message: 'Signing engine', engine: 'native', keccak: 'wasm' }],
      witness: { javascript: 0, addons: 1 },
    });
  });
});
