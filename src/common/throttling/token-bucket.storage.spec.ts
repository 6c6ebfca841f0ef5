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

describe('TokenBucketStorage', () => {
  let bucket: Bucket;

  beforeEach(() => {
    bucket = new Bucket();
  });

  it('admits the burst and not one more', async () => {
    await bucket.drain();
    expect(await bucket.take()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
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

  it('refills one request per interval', async () => {
    await bucket.drain();
    for (let i = 0; i < 5; i += 1) {
      bucket.now += REFILL_MS;
      expect((await bucket.take()).isBlocked).toBe(false);
      expect((await bucket.take()).isBlocked).toBe(true);
    }
  });

  it('is full again after the whole time, and holds no more than the burst', async () => {
    await bucket.drain();
    bucket.now += 10 * TTL;
    await bucket.drain();
    expect((await bucket.take()).isBlocked).toBe(true);
  });

  it('sustains the rate for as long as it is kept', async () => {
    for (let i = 0; i < 2000; i += 1) {
      expect((await bucket.take()).isBlocked).toBe(false);
      bucket.now += REFILL_MS;
    }
  });

  it('is not blocked for longer by requests while blocked', async () => {
    await bucket.drain();
    for (let i = 0; i < 1000; i += 1) expect((await bucket.take()).isBlocked).toBe(true);
    bucket.now += REFILL_MS;
    expect((await bucket.take()).isBlocked).toBe(false);
  });

  it.each([
    [1, 5],
    [60, 300],
  ])('tells in whole seconds when to come back: one request per %d s', async (intervalSeconds, burst) => {
    const ttl = burst * intervalSeconds * 1000;
    const take = () => bucket.storage.increment('token', ttl, burst);
    for (let i = 0; i < burst; i += 1) await take();
    expect(await take()).toMatchObject({ isBlocked: true, timeToBlockExpire: intervalSeconds });
    bucket.now += intervalSeconds * 1000 - 1;
    expect(await take()).toMatchObject({ isBlocked: true, timeToBlockExpire: 1 });
    bucket.now += 1;
    expect(await take()).toMatchObject({ isBlocked: false, timeToBlockExpire: 0 });
  });

  it('counts what is used up', async () => {
    expect(await bucket.take()).toEqual({
      totalHits: 1,
      timeToExpire: 1,
      isBlocked: false,
      timeToBlockExpire: 0,
    });
    expect(await bucket.take()).toMatchObject({ totalHits: 2 });
    bucket.now += REFILL_MS;
    expect(await bucket.take()).toMatchObject({ totalHits: 2 });
  });

  it('keeps a bucket for each key', async () => {
    await bucket.drain('address 192.0.2.1');
    expect((await bucket.take('address 192.0.2.1')).isBlocked).toBe(true);
    expect((await bucket.take('address 192.0.2.2')).isBlocked).toBe(false);
  });

  describe('charged for several requests at once', () => {
    const charge = (cost: number, required = cost) =>
      bucket.storage.charge('token', TTL, BURST, { cost, required });

    it('takes all of them or none', async () => {
      expect((await charge(200)).isBlocked).toBe(false);
      expect((await charge(101)).isBlocked).toBe(true);
      expect(await charge(100)).toMatchObject({ isBlocked: false, totalHits: 300 });
      expect((await bucket.take()).isBlocked).toBe(true);
    });

    it('tells when there will be enough', async () => {
      await bucket.drain();
      expect(await charge(150)).toMatchObject({ isBlocked: true, timeToBlockExpire: 2 });
      bucket.now += 150 * REFILL_MS;
      expect((await charge(150)).isBlocked).toBe(false);
    });

    it('lets a cost beyond the burst pass from a full bucket, and waits until it is paid', async () => {
      expect((await charge(1000, BURST)).isBlocked).toBe(false);
      expect(await bucket.take()).toMatchObject({ isBlocked: true, timeToBlockExpire: 8 });
      bucket.now += 700 * REFILL_MS;
      expect((await bucket.take()).isBlocked).toBe(true);
      bucket.now += REFILL_MS;
      expect((await bucket.take()).isBlocked).toBe(false);
    });
  });

  describe('with too many keys', () => {
    it('forgets full buckets first', async () => {
      bucket = new Bucket(10);
      await bucket.drain('busy');
      for (let i = 0; i < 9; i += 1) await bucket.take(`idle ${i}`);
      bucket.now += REFILL_MS;
      await bucket.take('busy');
      await bucket.take('one more');
      expect((await bucket.take('busy')).isBlocked).toBe(true);
    });

    it('forgets the ones that were used longest ago next', async () => {
      bucket = new Bucket(10);
      await bucket.drain('old');
      for (let i = 0; i < 9; i += 1) await bucket.drain(`recent ${i}`);
      await bucket.take('one more');
      expect((await bucket.take('recent 8')).isBlocked).toBe(true);
      expect((await bucket.take('old')).isBlocked).toBe(false);
    });

    it('stays quick however many come', async () => {
      bucket = new Bucket(1000);
      const begin = process.cpuUsage();
      for (let i = 0; i < 50_000; i += 1) await bucket.take(`address ${i}`);
      expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(3);
    });
  });
});
