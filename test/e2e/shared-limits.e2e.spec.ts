import { Redis } from 'ioredis';
import { TestApplication } from '../support/application';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { PrivateRedis, type PrivateServer, until } from '../support/private-servers';
import { storageKey } from '../support/keys';

const BURST = 20;
const LIMITS = { RATE_LIMIT_REQUESTS_PER_SECOND: '1', RATE_LIMIT_BURST_SIZE: `${BURST}` };
const WARNING = 'Redis does not count requests: this instance limits them by itself';

(process.env.TEST_REDIS_URL ? describeWithMariaDb : describe.skip)('Limits that two instances share', () => {
  let database: TestDatabase;
  let redis: PrivateServer;
  let one: TestApplication;
  let two: TestApplication;

  beforeAll(async () => {
    database = await createMariaDb();
    redis = await PrivateRedis.create();
    const keys = { STORAGE_ENCRYPTION_KEY: storageKey(7), REDIS_URL: redis.url };
    one = await TestApplication.start(database, { ...LIMITS, ...keys });
    two = await TestApplication.start(database, { ...LIMITS, ...keys });
  });

  afterAll(async () => {
    await one.close();
    await two.close();
    await database.drop();
    await redis.destroy();
  });

  /** Sends requests to both instances in turn. @returns how many each of them accepted */
  const admitted = async (requests: number): Promise<number[]> => {
    const passed = [0, 0];
    for (let i = 0; i < requests; i += 1) {
      const { status } = await [one, two][i % 2]!.get('/api/v1/relayers?per_page=1');
      if (status === 200) passed[i % 2]! += 1;
      else expect(status).toBe(429);
    }
    return passed;
  };
  const sum = ([first = 0, second = 0]: number[]): number => first + second;
  const metric = async (service: TestApplication, line: string): Promise<boolean> =>
    (await service.get('/debug/metrics/scrape')).text.split('\n').includes(line);
  const both = async (line: string): Promise<boolean> =>
    (await metric(one, line)) && (await metric(two, line));
  /** Counts the warnings of both instances, because applications of one process share their logger. */
  const warnings = (): number => [...one.logs, ...two.logs].filter((line) => line.includes(WARNING)).length;

  it('share one burst, fall back to one per instance while Redis is down, and share it again', async () => {
    const shared = sum(await admitted(3 * BURST));
    expect(shared).toBeGreaterThanOrEqual(BURST);
    expect(shared).toBeLessThan(2 * BURST);
    expect(await both('rate_limit_fallback 0')).toBe(true);
    expect(await metric(one, 'rate_limit_decisions_total{store="shared"} 30')).toBe(true);

    await redis.stop('SIGKILL');
    const [first, second] = await admitted(3 * BURST);
    expect(first).toBeGreaterThanOrEqual(BURST);
    expect(second).toBeGreaterThanOrEqual(BURST);
    expect(await both('rate_limit_fallback 1')).toBe(true);
    expect(await metric(one, 'rate_limit_decisions_total{store="shared"} 30')).toBe(true);
    expect(warnings()).toBe(2);

    await redis.start();
    await until('shared limits', () => both('rate_limit_fallback 0'));
    const again = sum(await admitted(3 * BURST));
    expect(again).toBeGreaterThanOrEqual(BURST);
    expect(again).toBeLessThan(2 * BURST);
    expect(warnings()).toBe(2);
  });

  it('store no token in Redis', async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    await one.call({ path: '/api/v1/relayers', headers: { authorization: 'Bearer guess' } });
    await one.get('/api/v1/relayers');
    const keys = await client.keys('*');
    client.disconnect();
    expect(keys.sort()).toEqual(['relayer:limit:address 127.0.0.1', 'relayer:limit:principal root']);
  });
});
