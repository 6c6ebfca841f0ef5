import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../common/secrets/secret';
import { secretSources } from './secret-sources';

const variable = (name: string): Secret | undefined =>
  ({ PASSPHRASE: new Secret('hunter2'), BLANK: new Secret('') })[name];

describe('secretSources.secret', () => {
  const sources = secretSources('config/config.json', variable);

  it.each([
    [{ type: 'env', value: 'PASSPHRASE' }, 'hunter2'],
    [{ type: 'env', value: 'BLANK' }, ''],
    [{ type: 'plain', value: 'in the clear' }, 'in the clear'],
    [{ type: 'plain', value: 'PASSPHRASE' }, 'PASSPHRASE'],
  ])('reads %j', (reference, text) => {
    expect(sources.secret(reference, 'config.passphrase').reveal()).toBe(text);
  });

  it('names a variable that is not set in the error', () => {
    expect(() => sources.secret({ type: 'env', value: 'MISSING' }, 'config.passphrase')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: 'config.passphrase names the environment variable MISSING, which is not set',
      }),
    );
  });

  it.each([
    'API_KEY',
    'STORAGE_ENCRYPTION_KEY',
    'DATABASE_URL',
    'REDIS_URL',
    'AUDIT_SINK',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  ])('refuses %s, which a file could send to a key service of its choice', (value) => {
    const all = secretSources('config/config.json', () => new Secret('of the service'));
    expect(() => all.secret({ type: 'env', value }, 'config.secret_id')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: `config.secret_id names ${value}, a secret of the service itself`,
      }),
    );
  });

  it.each(['hunter2', 'correct horse battery', `0x${'a1'.repeat(32)}`, 'A1'.repeat(32)])(
    'does not reveal %s, a secret given as a variable name by mistake',
    (value) => {
      expect(() => sources.secret({ type: 'env', value }, 'config.passphrase')).toThrow(
        expect.objectContaining({
          detail: 'config.passphrase names an environment variable that is not set',
        }),
      );
    },
  );

  it.each([
    undefined,
    null,
    'hunter2',
    5,
    [],
    {},
    { type: 'env' },
    { type: 'plain', value: 5 },
    { type: 'file', value: 'hunter2' },
    { value: 'hunter2' },
  ])('refuses the reference %j without revealing it', (reference) => {
    expect(() => sources.secret(reference, 'config.passphrase')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: 'config.passphrase must be {"type": "env" or "plain", "value": string}',
      }),
    );
  });
});

describe('secretSources.file', () => {
  const home = process.cwd();
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'secret-sources-'));
    mkdirSync(join(directory, 'work/keys'), { recursive: true });
    mkdirSync(join(directory, 'etc/keys'), { recursive: true });
    process.chdir(join(directory, 'work'));
  });

  afterEach(() => {
    process.chdir(home);
    rmSync(directory, { recursive: true });
  });

  const write = (path: string, text: string): void => {
    writeFileSync(join(directory, path), text);
  };
  const read = (path: string, configPath = join(directory, 'etc/config.json')): Promise<string> =>
    secretSources(configPath, variable).file(path);

  it('looks in the working directory first', async () => {
    write('work/keys/cow.json', 'of the working directory');
    write('etc/keys/cow.json', 'of the folder of the file');
    expect(await read('keys/cow.json')).toBe('of the working directory');
  });

  it('looks in the folder of the configuration file next', async () => {
    write('etc/keys/cow.json', 'of the folder of the file');
    expect(await read('keys/cow.json')).toBe('of the folder of the file');
    expect(await read('keys/cow.json', '../etc/config.json')).toBe('of the folder of the file');
  });

  it('uses an absolute path unchanged', async () => {
    write('etc/keys/cow.json', 'absolute');
    expect(await read(join(directory, 'etc/keys/cow.json'), 'config.json')).toBe('absolute');
  });

  it.each([
    ['keys/none.json', 'it does not exist'],
    ['/nowhere/none.json', 'it does not exist'],
    ['keys', 'EISDIR'],
    // Node opens no file whose path is that long, even for root.
    ['x'.repeat(300), 'ENAMETOOLONG'],
  ])('names %s in the error if it cannot be read, and the cause: %s', async (path, cause) => {
    await expect(read(path)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: `the file ${path} cannot be read: ${cause}`,
    });
  });
});
