import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { PrivateRedis, type PrivateServer, until } from '../../test/support/private-servers';
import { TokenBucketStorage } from './token-bucket.storage';
import { RateLimitMetrics } from './rate-limit.metrics';
import { LIMITS_CONNECTION, RedisRateLimitStorage } from './redis-rate-limit.storage';
import { SharedRateLimitStorage } from './shared-rate-limit.storage';

(process.env.TEST_REDIS_URL ? describe : describe.skip)('Shared rate limits during an outage', () => {
  let server: PrivateServer;
  let admin: Redis;
  let client: Redis;
  let registry: Registry;
  let storage: SharedRateLimitStorage;

  beforeAll(async () => {
    server = await PrivateRedis.create();
    admin = new Redis(server.url);
    client = new Redis(server.url, LIMITS_CONNECTION);
    for (const each of [admin, client]) each.on('error', () => undefined);
    registry = new Registry();
    storage = new SharedRateLimitStorage(
      new RedisRateLimitStorage(client),
      new TokenBucketStorage(),
      new RateLimitMetrics(registry),
    );
    await until('connection', () => client.status === 'ready');
  });

  afterAll(async () => {
    storage.onApplicationShutdown();
    for (const each of [admin, client]) each.disconnect();
    await server.destroy();
  });

  const fallback = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric('rate_limit_fallback')!.get()).values[0]?.value;
  const take = () => storage.increment('token', 6_000_000, 1000);

  it.each([
    ['stopped', () => server.stop('SIGKILL'), () => server.start()],
    ['read-only', () => admin.replicaof('127.0.0.1', 1), () => admin.replicaof('NO', 'ONE')],
    ['full', () => admin.config('SET', 'maxmemory', 1), () => admin.config('SET', 'maxmemory', 0)],
    ['silent', () => admin.call('CLIENT', 'PAUSE', '3000', 'ALL'), () => Promise.resolve()],
  ])('count locally while Redis is %s, and in Redis again afterwards', async (_what, begin, end) => {
    await take();
    expect(await fallback()).toBe(0);
    await begin();
    const records = await Promise.all(Array.from({ length: 50 }, take));
    expect(records.filter(({ isBlocked }) => isBlocked)).toEqual([]);
    expect(await fallback()).toBe(1);
    await end();
    await until('Redis', async () => (await fallback()) === 0);
    await take();
    expect(await admin.exists('relayer:limit:token')).toBe(1);
  });

  it('do not mistake a stall of this process for an outage of Redis', async () => {
    await take();
    const takes = Array.from({ length: 20 }, take);
    // Redis responds in the meantime, but this process does not read the responses.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await Promise.all(takes);
    expect(await fallback()).toBe(0);
  });

  it('continue counting after Redis was flushed', async () => {
    await take();
    await admin.flushall();
    expect(await take()).toMatchObject({ totalHits: 1 });
    expect(await fallback()).toBe(0);
  });
});
