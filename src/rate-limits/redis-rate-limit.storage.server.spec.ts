import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { describeRateLimitStorage } from '../../test/support/suites/rate-limit-storage';
import { RedisRateLimitStorage } from './redis-rate-limit.storage';

const URL = process.env.TEST_REDIS_URL;

(URL ? describe : describe.skip)('RedisRateLimitStorage', () => {
  let client: Redis;
  let prefix: string;

  beforeAll(() => {
    client = new Redis(URL ?? '');
  });

  afterAll(() => {
    client.disconnect();
  });

  const open = (connection = client): RedisRateLimitStorage => {
    prefix = `test:${randomUUID()}:`;
    return new RedisRateLimitStorage(connection, prefix);
  };

  /** Moves back the times at which buckets were last counted. */
  const shift = async (milliseconds: number): Promise<void> => {
    for (const key of await client.keys(`${prefix}*`)) {
      const [used = '', at = ''] = ((await client.get(key)) ?? '').split(' ');
      await client.set(key, `${used} ${BigInt(at) - BigInt(milliseconds) * 1000n}`, 'KEEPTTL');
    }
  };

  describeRateLimitStorage('RedisRateLimitStorage', { open: () => open(), pass: shift });

  it('shares one allowance between two instances', async () => {
    const other = new Redis(URL ?? '');
    const storages = [open(), new RedisRateLimitStorage(other, prefix)];
    const records = await Promise.all(
      Array.from({ length: 200 }, (_, i) => storages[i % 2]!.increment('token', 6_000_000, 100)),
    );
    expect(records.filter(({ isBlocked }) => !isBlocked)).toHaveLength(100);
    other.disconnect();
  });

  it('fails if the user of Redis may not read buckets', async () => {
    await client.call('ACL', 'SETUSER', 'blind', 'on', '>secret', '~*', '+@all', '-get');
    const { host = '', port = 0 } = client.options;
    const blind = new Redis({ host, port, username: 'blind', password: 'secret' });
    try {
      await expect(open(blind).increment('token', 6_000_000, 100)).rejects.toThrow(
        /can't run this command|NOPERM|no permissions/,
      );
    } finally {
      blind.disconnect();
      await client.call('ACL', 'DELUSER', 'blind');
    }
  });

  it('expires keys when their bucket is full', async () => {
    const storage = open();
    await storage.increment('token', 300_000, 30);
    await storage.increment('token', 300_000, 30);
    const left = await client.pttl(`${prefix}token`);
    expect(left).toBeGreaterThan(19_000);
    expect(left).toBeLessThanOrEqual(21_000);
    await storage.charge('nobody', 300_000, 30, { cost: 0, required: 0 });
    expect(await client.exists(`${prefix}nobody`)).toBe(0);
  });

  it('tolerates a clock that was set back', async () => {
    const storage = open();
    await storage.charge('token', 6_000_000, 100, { cost: 100, required: 100 });
    await shift(-86_400_000);
    expect(await storage.increment('token', 6_000_000, 100)).toMatchObject({
      isBlocked: true,
      timeToBlockExpire: 60,
    });
    await shift(60_000);
    expect(await storage.increment('token', 6_000_000, 100)).toMatchObject({ isBlocked: false });
  });

  it('admits the whole burst at the highest rate', async () => {
    const storage = open();
    const cost = { cost: 1_000_000, required: 1_000_000 };
    expect(await storage.charge('token', 1000, 1_000_000, cost)).toMatchObject({ isBlocked: false });
  });

  it.each(['', 'junk', 'nan 0', 'inf 0', '-nan -nan', '1', '1 2 3', '. .'])(
    'takes a bucket that holds %j as full, and replaces it',
    async (content) => {
      const storage = open();
      await client.set(`${prefix}token`, content);
      expect(await storage.increment('token', 6_000_000, 2)).toMatchObject({ totalHits: 1 });
      await storage.increment('token', 6_000_000, 2);
      expect(await storage.increment('token', 6_000_000, 2)).toMatchObject({ isBlocked: true });
    },
  );

  it('replaces a bucket that is not a text', async () => {
    const storage = open();
    await client.rpush(`${prefix}token`, 'a', 'b');
    expect(await storage.increment('token', 6_000_000, 2)).toMatchObject({ totalHits: 1 });
    expect(await storage.increment('token', 6_000_000, 2)).toMatchObject({ totalHits: 2 });
  });

  it('continues counting after its scripts were flushed', async () => {
    const storage = open();
    await storage.increment('token', 6_000_000, 100);
    await client.script('FLUSH');
    expect(await storage.increment('token', 6_000_000, 100)).toMatchObject({ totalHits: 2 });
  });
});
