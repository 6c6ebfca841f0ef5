import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { createRelayerService, type RelayerService } from '../../src/public';
import { SERVICE_VERSION } from '../../src/common/service-version';
import { createSqlite, type TestDatabase } from '../support/databases';
import { send } from '../support/http';
import { apiKey } from '../support/keys';

@Module({ providers: [] })
class Plain {}

@Module({})
class Dynamic {}

const API_KEY = apiKey('embedded-reload');

describe('RelayerService', () => {
  let database: TestDatabase;
  let service: RelayerService;
  let url: string;
  let output: jest.SpyInstance;

  const config = (changes: object = {}): Record<string, string> => ({
    API_KEY,
    STORAGE_ENCRYPTION_KEY: STORAGE_KEY,
    DATABASE_URL: database.url,
    RELAYER_CHECK_INTERVAL_SECONDS: '0',
    RATE_LIMIT_BURST_SIZE: '40',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    ...changes,
  });
  const STORAGE_KEY = randomBytes(32).toString('base64');

  beforeEach(async () => {
    database = await createSqlite();
    output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    service = await createRelayerService({ config: config(), handleSignals: false });
    url = await service.listen(0);
  });

  afterEach(async () => {
    await service.close();
    jest.restoreAllMocks();
    await database.drop();
  });

  const limit = async (): Promise<unknown> => {
    const headers = { authorization: `Bearer ${API_KEY}` };
    return (await send(url, { path: '/api/v1/relayers', headers })).headers['x-ratelimit-limit'];
  };
  const lines = (message: string): unknown[] =>
    [...output.mock.calls, ...(process.stderr.write as unknown as jest.SpyInstance).mock.calls]
      .map(([text]) => String(text))
      .filter((text) => text.includes(`"message":"${message}"`))
      .map((text) => JSON.parse(text) as unknown);

  it('logs its creation with the names of the added modules', async () => {
    await service.close();
    service = await createRelayerService({
      config: config({ LOG_LEVEL: 'info' }),
      modules: [Plain, { module: Dynamic }],
      handleSignals: false,
    });
    expect(lines('Created')).toEqual([
      expect.objectContaining({ version: SERVICE_VERSION, modules: ['Plain', 'Dynamic'] }),
    ]);
  });

  it('logs its start and its address as `npm start` does', async () => {
    await service.close();
    service = await createRelayerService({ config: config({ LOG_LEVEL: 'info' }), handleSignals: false });
    const port = Number(new URL(await service.listen(0)).port);
    expect(lines('Starting')).toEqual([
      expect.objectContaining({
        version: SERVICE_VERSION,
        node: process.version,
        commit: expect.anything() as string,
      }),
    ]);
    expect(lines('Listening')).toEqual([
      expect.objectContaining({ host: '127.0.0.1', port, api_page: `http://127.0.0.1:${port}/api-docs` }),
    ]);
  });

  it('removes its signal handlers when it is closed', async () => {
    const handlers = (): number => process.listenerCount('SIGTERM');
    const before = handlers();
    const other = await createRelayerService({ config: config() });
    await other.listen(0);
    expect(handlers()).toBeGreaterThan(before);
    await other.close();
    expect(handlers()).toBe(before);
  });

  it('reloads rate limits and the log level, and logs which settings apply at the next start', async () => {
    expect(await limit()).toBe('40');
    const changes = { RATE_LIMIT_BURST_SIZE: '50', LOG_LEVEL: 'info', WEBHOOK_RETRY_HOURS: '2' };
    expect(service.reload(config(changes))).toBe(true);
    expect(await limit()).toBe('50');
    expect(lines('Settings reloaded')).toEqual([
      expect.objectContaining({ changed: ['RATE_LIMIT_BURST_SIZE', 'LOG_LEVEL'], burst_size: 50 }),
    ]);
    expect(lines('Settings that changed apply at the next start')).toEqual([
      expect.objectContaining({ settings: ['WEBHOOK_RETRY_HOURS'] }),
    ]);
  });

  it('changes nothing on a reload with an invalid setting', async () => {
    expect(service.reload(config({ RATE_LIMIT_BURST_SIZE: '50', LOG_LEVEL: 'loud' }))).toBe(false);
    expect(await limit()).toBe('40');
    expect(lines('Settings were not reloaded: the previous ones stay')).toEqual([
      expect.objectContaining({
        faults: ['LOG_LEVEL must be one of fatal, error, warn, info, debug, verbose'],
      }),
    ]);
  });

  it('returns to its initial settings on a reload without settings', async () => {
    service.reload(config({ RATE_LIMIT_BURST_SIZE: '50' }));
    expect(service.reload()).toBe(true);
    expect(await limit()).toBe('40');
  });
});
