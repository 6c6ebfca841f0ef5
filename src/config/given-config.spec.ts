import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError } from './configuration-error';
import type { Environment } from './env-file';
import { assertTexts, readGivenConfig, unusedNames } from './given-config';

describe('readGivenConfig', () => {
  it.each([undefined, null, 'production', 1])('refuses %j', (config) => {
    const read = () => readGivenConfig(config as unknown as Environment);
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow('config is required: an object with the settings by name');
  });
});

describe('assertTexts', () => {
  it('names every setting that is not a string', () => {
    const config = { PORT: 8080, API_KEY: null, HOST: 'x', REDIS_URL: undefined, MINE: {} };
    expect(() => assertTexts(config)).toThrow(
      expect.objectContaining({
        faults: ['PORT must be a string', 'API_KEY must be a string', 'MINE must be a string'],
      }),
    );
    expect(() => readGivenConfig(config as unknown as Environment)).toThrow(ConfigurationError);
  });
});

describe('unusedNames', () => {
  it('returns the names that are no settings', () => {
    const config = { API_KEY: 'x', APROVALS: 'loosen_policy=2', database_url: 'x', NODE_ENV: undefined };
    expect(unusedNames(config)).toEqual(['APROVALS', 'database_url']);
  });

  it('knows the files of secrets', () => {
    expect(unusedNames({ API_KEY_FILE: '/x', PORT_FILE: '/x' })).toEqual(['PORT_FILE']);
  });

  it('ignores what has no value', () => {
    expect(unusedNames({ APROVALS: undefined, SHOP: ' ' })).toEqual([]);
  });

  it('knows the variables that the configuration file names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'given-config-'));
    const CONFIG_FILE = join(folder, 'config.json');
    writeFileSync(CONFIG_FILE, '{ "passphrase": { "type": "env", "value": "PASSPHRASE" }, "url": "x" }');
    const config = { CONFIG_FILE, PASSPHRASE: 'x', PASSPHRASE_FILE: '/x', PASS: 'x' };
    expect(unusedNames(config)).toEqual(['PASS']);
    rmSync(folder, { recursive: true });
    expect(unusedNames(config)).toEqual(['PASSPHRASE', 'PASSPHRASE_FILE', 'PASS']);
  });
});
