import type { RateLimitStorage } from '../../../src/rate-limits/rate-limit-storage';

/** One request per minute, so that the duration of a test does not matter. */
const REFILL_MS = 60_000;
const BURST = 30;
const TTL = BURST * REFILL_MS;

export interface RateLimitStorageSubject {
  /** An empty storage. */
  open: () => RateLimitStorage | Promise<RateLimitStorage>;
  /** Makes time pass for the storage. */
  pass: (milliseconds: number) => void | Promise<void>;
}

/** The contract of all rate limit storages, which the spec of each storage calls. */
export function describeRateLimitStorage(name: string, subject: RateLimitStorageSubject): void {
  describe(`${name} as RateLimitStorage`, () => {
    let storage: RateLimitStorage;

    beforeEach(async () => {
      storage = await subject.open();
    });

    const take = (key = 'token') => storage.increment(key, TTL, BURST);
    const charge = (cost: number, required = cost) => storage.charge('token', TTL, BURST, { cost, required });
    const drain = async (key = 'token'): Promise<void> => {
      for (let i = 0; i < BURST; i += 1) expect((await take(key)).isBlocked).toBe(false);
    };

    it('admits exactly the burst', async () => {
      await drain();
      expect(await take()).toEqual({
        totalHits: 30,
        timeToExpire: 1800,
        isBlocked: true,
        timeToBlockExpire: 60,
      });
    });

    it('admits exactly the burst of many concurrent requests', async () => {
      const records = await Promise.all(Array.from({ length: 100 }, () => take()));
      expect(records.filter(({ isBlocked }) => !isBlocked)).toHaveLength(30);
    });

    it.each([
      [1 / 60, 7],
      [1 / 3600, 300],
      [1 / 7000, 3],
    ])('admits the whole burst at %d requests a second and a burst of %d', async (perSecond, burst) => {
      const ttl = (burst / perSecond) * 1000;
      for (let i = 0; i < burst; i += 1) {
        expect((await storage.increment('token', ttl, burst)).isBlocked).toBe(false);
      }
      expect((await storage.increment('token', ttl, burst)).isBlocked).toBe(true);
    });

    it('refills one request per interval', async () => {
      await drain();
      for (let i = 0; i < 5; i += 1) {
        await subject.pass(REFILL_MS);
        expect((await take()).isBlocked).toBe(false);
        expect((await take()).isBlocked).toBe(true);
      }
    });

    it('is full again after the whole refill time, and holds no more than the burst', async () => {
      await drain();
      await subject.pass(10 * TTL);
      await drain();
      expect((await take()).isBlocked).toBe(true);
    });

    it('is not blocked for longer by requests that arrive while it is blocked', async () => {
      await drain();
      for (let i = 0; i < 100; i += 1) expect((await take()).isBlocked).toBe(true);
      await subject.pass(REFILL_MS);
      expect((await take()).isBlocked).toBe(false);
    });

    it('counts the tokens used', async () => {
      expect(await take()).toEqual({
        totalHits: 1,
        timeToExpire: 60,
        isBlocked: false,
        timeToBlockExpire: 0,
      });
      expect(await take()).toMatchObject({ totalHits: 2, timeToExpire: 120 });
      await subject.pass(REFILL_MS);
      expect(await take()).toMatchObject({ totalHits: 2, timeToExpire: 120 });
    });

    it('has a separate allowance for each key', async () => {
      await drain('address 192.0.2.1');
      expect((await take('address 192.0.2.1')).isBlocked).toBe(true);
      expect((await take('address 192.0.2.2')).isBlocked).toBe(false);
    });

    it('charges the whole cost or nothing', async () => {
      expect((await charge(20)).isBlocked).toBe(false);
      expect(await charge(11)).toMatchObject({ isBlocked: true, totalHits: 20, timeToBlockExpire: 60 });
      expect(await charge(10)).toMatchObject({ isBlocked: false, totalHits: 30 });
      expect((await take()).isBlocked).toBe(true);
    });

    it('returns when there will be enough tokens', async () => {
      await drain();
      expect(await charge(15)).toMatchObject({ isBlocked: true, timeToBlockExpire: 900 });
      await subject.pass(15 * REFILL_MS);
      expect((await charge(15)).isBlocked).toBe(false);
    });

    it('admits a cost above the burst on a full allowance, and blocks until it is repaid', async () => {
      expect(await charge(100, BURST)).toMatchObject({ isBlocked: false, totalHits: 100 });
      expect(await take()).toMatchObject({ isBlocked: true, timeToBlockExpire: 71 * 60 });
      await subject.pass(70 * REFILL_MS);
      expect((await take()).isBlocked).toBe(true);
      await subject.pass(REFILL_MS);
      expect((await take()).isBlocked).toBe(false);
    });

    it('reports whether a request would pass, without counting it', async () => {
      await charge(29);
      for (let i = 0; i < 3; i += 1) expect((await charge(0, 1)).isBlocked).toBe(false);
      await take();
      expect(await charge(0, 1)).toMatchObject({ isBlocked: true, totalHits: 30, timeToBlockExpire: 60 });
    });

    it('returns the tokens used for a cost of 0', async () => {
      await charge(7);
      expect(await charge(0, 0)).toMatchObject({ isBlocked: false, totalHits: 7 });
      expect(await charge(0, 0)).toMatchObject({ isBlocked: false, totalHits: 7 });
    });
  });
}
