import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from './environment';
import { readSecretFiles } from './secret-files';

const KEY = 'a-key-of-the-service-in-a-file-0123456789';

describe('Secrets in files', () => {
  let folder: string;
  const file = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each(['API_KEY', 'STORAGE_ENCRYPTION_KEY', 'DATABASE_URL', 'REDIS_URL'])(
    'are read for %s, without surrounding white space',
    (name) => {
      const { env, faults } = readSecretFiles({ [`${name}_FILE`]: file(name, ` ${KEY}\r\n\n`) });
      expect(env[name]).toBe(KEY);
      expect(faults).toEqual([]);
    },
  );

  it('are used in the configuration', () => {
    const config = readConfig({
      API_KEY_FILE: file('key', KEY),
      STORAGE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    });
    expect(config.apiKeys[0].reveal()).toBe(KEY);
    expect(config.apiKeyGenerated).toBe(false);
  });

  it('are read for variables that the configuration file refers to', () => {
    const { secretVariable } = readConfig({
      API_KEY: KEY,
      STORAGE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SIGNER_PASSPHRASE_FILE: file('passphrase', 'correct horse\n'),
    });
    expect(secretVariable('SIGNER_PASSPHRASE')?.reveal()).toBe('correct horse');
    expect(secretVariable('ANOTHER')).toBeUndefined();
  });

  it('are found for such variables if their path has white space around it, and blank values are absent', () => {
    const { secretVariable } = readConfig({
      API_KEY: KEY,
      STORAGE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      PADDED_FILE: ` ${file('padded', 'correct horse')}\n`,
      GIVEN: ' with spaces ',
      GIVEN_FILE: ' ',
      BLANK: ' ',
    });
    expect(secretVariable('PADDED')?.reveal()).toBe('correct horse');
    expect(secretVariable('GIVEN')?.reveal()).toBe(' with spaces ');
    expect(secretVariable('BLANK')).toBeUndefined();
  });

  it('are refused for such variables under the same rules', () => {
    const { secretVariable } = readConfig({
      API_KEY: KEY,
      STORAGE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      TWICE: 'correct horse',
      TWICE_FILE: file('twice', 'battery staple'),
      LOST_FILE: join(folder, 'missing'),
    });
    expect(() => secretVariable('TWICE')).toThrow(
      expect.objectContaining({ detail: 'TWICE and TWICE_FILE must not both be set' }) as Error,
    );
    expect(() => secretVariable('LOST')).toThrow(
      expect.objectContaining({
        detail: 'LOST_FILE must name a file that can be read and is not empty',
      }) as Error,
    );
  });

  it.each([
    ['both are set', { API_KEY: KEY }, 'API_KEY and API_KEY_FILE must not both be set'],
    ['it is empty', { empty: '' }, 'API_KEY_FILE must name a file that can be read and is not empty'],
    ['it does not exist', {}, 'API_KEY_FILE must name a file that can be read and is not empty'],
  ])('are refused if %s', (_what, { empty, ...env }: { empty?: string; API_KEY?: string }, fault) => {
    const path = empty === undefined ? join(folder, 'missing') : file('empty', empty);
    expect(() => readConfig({ ...env, API_KEY_FILE: path })).toThrow(
      expect.objectContaining({ message: expect.stringContaining(fault) as string }) as Error,
    );
  });

  it('are never revealed', () => {
    const path = file('short', 'short-secret');
    expect(() => readConfig({ API_KEY_FILE: path })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('short-secret') as string }) as Error,
    );
  });
});
