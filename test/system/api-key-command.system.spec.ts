import { spawnSync } from 'node:child_process';
import { bearer } from '../support/api-keys';
import { describeService } from '../support/describe-service';
import { apiKey, storageKey } from '../support/keys';

const SETTINGS = { STORAGE_ENCRYPTION_KEY: storageKey(1), API_KEY: apiKey('command') };

describeService('npm run api-key', { settings: SETTINGS }, ({ service, database }) => {
  const run = (...args: string[]) => runWith({}, ...args);
  const runWith = (settings: Record<string, string>, ...args: string[]) => {
    const own = { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: database.url };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/commands/api-key.js', ...args], {
      env: { ...own, ...SETTINGS, ...settings },
      encoding: 'utf8',
      timeout: 25_000,
    });
    return { status, stdout, stderr };
  };

  it('creates a key that works, and prints it once', async () => {
    const { status, stdout, stderr } = run(
      ...['create', '--name', 'First', '--scopes', 'api-keys:manage, freeze', '--relayers', 'a,b'],
      ...['--groups', 'g', '--expires-at', '2040-01-01T00:00:00Z', '--allowed-ips', '127.0.0.1,::1'],
    );
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^rk_[2-9a-z]{12}_[0-9A-Za-z]{49}\n$/)]);
    const key = service.keepSecret(stdout.trim());
    const [, id] = key.split('_');
    expect(stderr).toBe(`Created the API key ${id}; it is shown only once\n`);
    const response = await service.get(`/api/v1/api-keys/${id}`, bearer(key));
    expect(response.body.data).toEqual({
      id,
      name: 'First',
      scopes: ['api-keys:manage', 'freeze'],
      relayers: ['a', 'b'],
      groups: ['g'],
      expires_at: '2040-01-01T00:00:00.000Z',
      allowed_ips: ['127.0.0.1', '::1'],
      created_at: expect.any(String),
      created_by: 'shell',
    });
  });

  it('says that the storage key is another one', () => {
    const other = { STORAGE_ENCRYPTION_KEY: storageKey(2) };
    expect(runWith(other, 'create', '--name', 'x', '--scopes', 'freeze')).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^STORAGE_ENCRYPTION_KEY lacks a key that .* is not in the list\n$/),
    });
  });

  it.each([
    [[], 'Usage: npm run api-key'],
    [['delete'], 'Usage: npm run api-key'],
    [['create', '--nmae', 'x'], 'Unknown option --nmae\nUsage: npm run api-key'],
    [['create', '--name', 'x', '--scope=approve'], 'Unknown option --scope\nUsage: npm run api-key'],
    [
      ['create', '--name', 'x', '--scopes', 'sign:messages', '--scopes', 'sign:typed-data'],
      '--scopes is given twice\nUsage: npm run api-key',
    ],
    [['create', '--scopes', 'freeze'], '--name is required\nUsage: npm run api-key'],
    [['create'], '--name is required\n--scopes is required\nUsage: npm run api-key'],
    [['create', '--name', '', '--scopes', 'freeze'], 'name must be a string of 1 to 255 characters'],
    [['create', '--name', 'x', '--scopes', 'freeze,thaw'], 'item 2 of scopes must be one of'],
    [
      ['create', '--name', 'x', '--scopes', 'freeze', '--expires-at', '2020-01-01T00:00:00Z'],
      'expires_at must be in the future',
    ],
  ])('refuses %j', (args, error) => {
    const { status, stdout, stderr } = run(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(error);
  });
});
