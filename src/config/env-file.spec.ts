import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProduction, readEnvFile } from './env-file';

describe('readEnvFile', () => {
  const home = process.cwd();
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'env-file-'));
    process.chdir(directory);
  });

  afterEach(() => {
    process.chdir(home);
    rmSync(directory, { recursive: true });
  });

  it.each([
    ['lines', 'NODE_ENV=production\nPORT=8080\n'],
    ['lines of Windows', 'NODE_ENV=production\r\nPORT=8080\r\n'],
    ['a byte order mark, as Windows editors write it', '\uFEFFNODE_ENV=production\nPORT=8080\n'],
  ])('reads %s', (_title, text) => {
    writeFileSync('.env', text);
    expect(readEnvFile()).toEqual({ NODE_ENV: 'production', PORT: '8080' });
  });

  it('returns an empty object without a file', () => {
    expect(readEnvFile()).toEqual({});
  });

  it('throws if the file exists but cannot be read', () => {
    mkdirSync('.env');
    expect(() => readEnvFile()).toThrow(expect.objectContaining({ faults: ['.env cannot be read'] }));
  });
});

describe('isProduction', () => {
  it.each(['production', ' production\n', 'Production', 'PRODUCTION'])('is true for %j', (NODE_ENV) => {
    expect(isProduction({ NODE_ENV })).toBe(true);
  });

  it.each([undefined, '', ' ', 'development', 'test', 'productions'])('is false for %j', (NODE_ENV) => {
    expect(isProduction({ NODE_ENV })).toBe(false);
  });
});
