import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyOf, textsOf, KEYS, PRODUCTION, faultsOf } from '../../test/support/environments';
import { storageKey } from '../../test/support/keys';
import { readConfig } from './environment';

describe('readConfig in production', () => {
  it('accepts the three required settings', () => {
    expect(readConfig(PRODUCTION, false)).toMatchObject({
      production: true,
      database: { type: 'mysql', host: 'db.example', port: 3307, user: 'relayer', name: 'relayers' },
    });
  });

  it.each([undefined, '', '  '])('requires the three settings (%j)', (value) => {
    expect(
      faultsOf({
        NODE_ENV: 'production',
        API_KEY: value,
        DATABASE_URL: value,
        STORAGE_ENCRYPTION_KEY: value,
      }),
    ).toEqual([
      'API_KEY is required in production',
      'DATABASE_URL is required in production',
      'STORAGE_ENCRYPTION_KEY is required in production',
    ]);
  });

  it.each([
    [{ API_KEY: 'k3y-'.repeat(10) }, 'API_KEY must be random, and not a pattern that repeats'],
    [
      { STORAGE_ENCRYPTION_KEY: keyOf(0) },
      'STORAGE_ENCRYPTION_KEY must be random, and not one byte repeated',
    ],
    [
      { STORAGE_ENCRYPTION_KEY: [keyOf(7), storageKey(1)].join() },
      'STORAGE_ENCRYPTION_KEY must be random, and not one byte repeated',
    ],
  ])('refuses weak keys, reporting the name and rule but not the value (%o)', (env, fault) => {
    expect(faultsOf({ ...PRODUCTION, ...env })).toEqual([fault]);
    expect(faultsOf({ ...KEYS, ...env })).toEqual([]);
  });

  it('accepts a weak storage key that is used only for decryption', () => {
    const keys = [storageKey(1), keyOf(7)];
    const config = readConfig({ ...PRODUCTION, STORAGE_ENCRYPTION_KEY: keys.join() }, false);
    expect(textsOf(config.storageKeys)).toEqual(keys);
  });

  it.each(['Production', 'production '])(
    'also applies to NODE_ENV=%j, normalized like other settings',
    (NODE_ENV) => {
      expect(readConfig({ ...PRODUCTION, NODE_ENV }, false).production).toBe(true);
      expect(faultsOf({ NODE_ENV })).toHaveLength(3);
    },
  );

  it.each(['prod', 'productions', 'staging'])(
    'refuses NODE_ENV=%j instead of taking it for development',
    (NODE_ENV) => {
      expect(faultsOf({ ...PRODUCTION, NODE_ENV })).toEqual([
        'NODE_ENV must be one of production, development, test',
      ]);
    },
  );

  it.each([undefined, '', ' ', 'development', 'Test'])('is not what NODE_ENV=%j means', (NODE_ENV) => {
    expect(readConfig({ ...PRODUCTION, NODE_ENV }, false).production).toBe(false);
  });

  it('reports missing settings together with invalid ones', () => {
    expect(faultsOf({ ...PRODUCTION, API_KEY: undefined, PORT: 'x' })).toEqual([
      'API_KEY is required in production',
      'PORT must be an integer from 0 to 65535',
    ]);
  });
});

describe('readConfig outside production', () => {
  const home = process.cwd();
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'environment-'));
    process.chdir(directory);
  });

  afterEach(() => {
    process.chdir(home);
    rmSync(directory, { recursive: true });
  });

  it('generates the keys once and stores them', () => {
    const first = readConfig({}, false);
    const second = readConfig({}, false);
    expect(first.apiKeyGenerated).toBe(true);
    expect(first.apiKeys[0].reveal().length).toBeGreaterThanOrEqual(32);
    const [key = ''] = textsOf(first.storageKeys);
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(first.apiKeys[0].reveal()).not.toBe(key);
    expect(second.apiKeys[0].reveal()).toBe(first.apiKeys[0].reveal());
    expect(textsOf(second.storageKeys)).toEqual([key]);
  });

  it('reads a list of storage keys from the file too', () => {
    mkdirSync('data');
    writeFileSync('data/storage-encryption-key', `${keyOf(2)},${keyOf(1)}\n`);
    expect(textsOf(readConfig({}, false).storageKeys)).toEqual([keyOf(2), keyOf(1)]);
  });

  it('generates no key when a setting is invalid', () => {
    expect(faultsOf({ PORT: 'x', API_KEY: 'short' })).toHaveLength(2);
    expect(existsSync('data')).toBe(false);
  });
});
