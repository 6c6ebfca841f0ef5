import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WITH_TYPESCRIPT } from '../../test/support/run-typescript';
import { generatedKey } from './development-secrets';

const run = promisify(execFile);

const SOURCE = join(__dirname, 'development-secrets.ts');

describe('generatedKey', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  });

  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  it('generates a key of 32 random bytes', () => {
    const key = generatedKey('api-key', directory).reveal();
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(Buffer.from(key, 'base64').toString('base64')).toBe(key);
    expect(generatedKey('other-key', directory).reveal()).not.toBe(key);
  });

  it('stores the key in a file and a folder that only their owner can access', () => {
    const data = join(directory, 'data');
    const key = generatedKey('api-key', data).reveal();
    expect(readFileSync(join(data, 'api-key'), 'utf8')).toBe(`${key}\n`);
    expect(statSync(join(data, 'api-key')).mode & 0o777).toBe(0o600);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(readdirSync(data)).toEqual(['api-key']);
  });

  it('returns the same key from then on', () => {
    const key = generatedKey('api-key', directory).reveal();
    expect(generatedKey('api-key', directory).reveal()).toBe(key);
  });

  it('reads an existing key', () => {
    writeFileSync(join(directory, 'api-key'), 'a-key-of-my-own-choice-of-32-signs\r\n', { mode: 0o600 });
    expect(generatedKey('api-key', directory).reveal()).toBe('a-key-of-my-own-choice-of-32-signs');
  });

  it('does not replace a file that it cannot read', () => {
    const folder = join(directory, 'api-key', 'x');
    generatedKey('y', folder);
    expect(() => generatedKey('api-key', directory)).toThrow(/EISDIR/);
    chmodSync(folder, 0o700);
  });

  it('returns the same key to processes that start at the same time', async () => {
    const data = join(directory, 'data');
    const script = `
      const { generatedKey } = require(${JSON.stringify(SOURCE)});
      while (Date.now() < ${Date.now() + 800});
      const keys = Array.from({ length: 20 }, (_, i) => generatedKey('key-' + i, ${JSON.stringify(data)}).reveal());
      process.stdout.write(keys.join(' '));
    `;
    const outputs = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, [...WITH_TYPESCRIPT, '-e', script])),
    );
    const responses = outputs.map(({ stdout }) => stdout);
    expect(responses[0]?.split(' ')).toHaveLength(20);
    expect(new Set(responses).size).toBe(1);
    expect(readdirSync(data)).toHaveLength(20);
  });
});
