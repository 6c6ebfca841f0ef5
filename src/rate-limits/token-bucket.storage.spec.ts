import { describeRateLimitStorage } from '../../test/support/suites/rate-limit-storage';
import { TokenBucketStorage } from './token-bucket.storage';

const BURST = 300;
const REFILL_MS = 10;
const TTL = BURST * REFILL_MS;

class Bucket {
  now = 0;
  readonly storage: TokenBucketStorage;

  constructor(maxKeys?: number) {
    this.storage = new TokenBucketStorage(() => this.now, maxKeys);
  }

  take(key = 'token') {
    return this.storage.increment(key, TTL, BURST);
  }

  async drain(key = 'token'): Promise<void> {
    for (let i = 0; i < BURST; i += 1) expect((await this.take(key)).isBlocked).toBe(false);
  }
}

let now = 0;

describeRateLimitStorage('TokenBucketStorage', {
  open: () => new TokenBucketStorage(() => now),
  pass: (milliseconds) => {
    now += milliseconds;
  },
});

describe('TokenBucketStorage', () => {
  let bucket: Bucket;

  beforeEach(() => {
    bucket = new Bucket();
  });

  it.each([0, 1.1, 123456.789, 86_399_999.123, 2 ** 40 + 0.3])(
    'admits the whole burst at %d ms',
    async (now) => {
      bucket.now = now;
      await bucket.drain();
      expect((await bucket.take()).isBlocked).toBe(true);
    },
  );

  it.each([
    [7, 3],
    [1, 1],
    [3, 10],
    [1_000_000, 7],
    [100, 300],
    [1, 300],
  ])('admits the whole burst at %d requests a second and a burst of %d', async (perSecond, burst) => {
    bucket.now = 1234.5678;
    const ttl = (burst / perSecond) * 1000;
    for (let i = 0; i < burst; i += 1) {
      expect((await bucket.storage.increment('token', ttl, burst)).isBlocked).toBe(false);
    }
    expect((await bucket.storage.increment('token', ttl, burst)).isBlocked).toBe(true);
  });

  it('admits requests at the configured rate indefinitely', async () => {
    for (let i = 0; i < 2000; i += 1) {
      expect((await bucket.take()).isBlocked).toBe(false);
      bucket.now += REFILL_MS;
    }
  });

  it.each([
    [1, 5],
    [60, 300],
  ])('returns in whole seconds when to retry: one request per %d s', async (intervalSeconds, burst) => {
    const ttl = burst * intervalSeconds * 1000;
    const take = () => bucket.storage.increment('token', ttl, burst);
    for (let i = 0; i < burst; i += 1) await take();
    expect(await take()).toMatchObject({ isBlocked: true, timeToBlockExpire: intervalSeconds });
    bucket.now += intervalSeconds * 1000 - 1;
    expect(await take()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    bucket.now += 1;
    expect(await take()).toMatchObject({ isBlocked: false, timeToBlockExpire: 0 });
  });

  it.each([
    [1, 300],
    [10_000, 300],
  ])('preserves the tokens used when the refill time becomes %d ms', async (refillMs, left) => {
    await bucket.drain();
    const take = () => bucket.storage.increment('token', 2 * left * refillMs, 2 * left);
    for (let i = 0; i < left; i += 1) expect((await take()).isBlocked).toBe(false);
    expect(await take()).toMatchObject({ isBlocked: true, totalHits: 600 });
    bucket.now += refillMs;
    expect((await take()).isBlocked).toBe(false);
  });

  it('refills at the new rate even while blocked', async () => {
    await bucket.drain();
    const fast = () => bucket.storage.increment('token', BURST, BURST);
    expect((await fast()).isBlocked).toBe(true);
    bucket.now += 1;
    expect((await fast()).isBlocked).toBe(false);
  });

  describe('with too many keys', () => {
    it('evicts full buckets first', async () => {
      bucket = new Bucket(10);
      await bucket.drain('busy');
      for (let i = 0; i < 9; i += 1) await bucket.take(`idle ${i}`);
      bucket.now += REFILL_MS;
      await bucket.take('busy');
      await bucket.take('one more');
      expect((await bucket.take('busy')).isBlocked).toBe(true);
    });

    it('then evicts the least recently used buckets', async () => {
      bucket = new Bucket(10);
      await bucket.drain('old');
      for (let i = 0; i < 9; i += 1) await bucket.drain(`recent ${i}`);
      await bucket.take('one more');
      expect((await bucket.take('recent 8')).isBlocked).toBe(true);
      expect((await bucket.take('old')).isBlocked).toBe(false);
    });

    it('retains the oldest key if it was used recently', async () => {
      bucket = new Bucket(10);
      await bucket.drain('first');
      for (let i = 0; i < 9; i += 1) await bucket.drain(`other ${i}`);
      bucket.now += REFILL_MS;
      await bucket.take('first');
      await bucket.take('one more');
      expect((await bucket.take('first')).isBlocked).toBe(true);
      expect((await bucket.take('other 0')).isBlocked).toBe(false);
    });

    it('stays fast however many keys there are', async () => {
      bucket = new Bucket(1000);
      const begin = process.cpuUsage();
      for (let i = 0; i < 50_000; i += 1) await bucket.take(`address ${i}`);
      expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(3);
    });
  });
});
