import { GeneralRateLimit } from '../access/general-rate-limit';
import { currentRequest, runWithRequest } from '../common/http/request-context';
import { RateLimit } from './rate-limit';
import { TokenBucketStorage } from './token-bucket.storage';

const BURST = 10;

describe('RateLimit', () => {
  let now: number;
  let storage: TokenBucketStorage;
  let general: GeneralRateLimit;
  let rateLimit: RateLimit;

  beforeEach(() => {
    now = 0;
    storage = new TokenBucketStorage(() => now);
    general = new GeneralRateLimit({
      get: () => ({ requestsPerSecond: 1, burstSize: BURST }),
    } as never);
    rateLimit = new RateLimit(storage, general);
  });

  /** A request that the guard has counted, and that then charges for its items. */
  const request = async (count: number, key: string | null = 'token'): Promise<unknown> => {
    if (key !== null) expect((await storage.increment(key, BURST * 1000, BURST)).isBlocked).toBe(false);
    return new Promise((resolve) => {
      runWithRequest('r', () => {
        currentRequest()!.rateLimitKey = key ?? undefined;
        rateLimit.charge(count).then(() => {
          resolve('passed');
        }, resolve);
      });
    });
  };

  const left = async (): Promise<number> => {
    const { totalHits } = await storage.charge('token', BURST * 1000, BURST, { cost: 0, required: 0 });
    return BURST - totalHits;
  };

  it('counts a request with one item as one', async () => {
    expect(await request(1)).toBe('passed');
    expect(await left()).toBe(9);
  });

  it('counts each of several items', async () => {
    expect(await request(4)).toBe('passed');
    expect(await left()).toBe(6);
  });

  it.each([10, 11, 1000])('admits %d items on a full allowance of ten', async (count) => {
    expect(await request(count)).toBe('passed');
    expect(await left()).toBe(BURST - count);
  });

  it('refuses more than is left, counts the request as one, and returns when to retry', async () => {
    await request(4);
    expect(await request(7)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    expect(await left()).toBe(5);
    expect(await request(10)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
  });

  it('charges nothing when the guard does not limit', async () => {
    expect(await request(1000, null)).toBe('passed');
    expect(await left()).toBe(BURST);
  });

  it('charges by the current allowance', async () => {
    general.change({ requestsPerSecond: 1, burstSize: 3 });
    expect(await request(4)).toBe('passed');
    expect(await left()).toBe(6);
    general.change({ requestsPerSecond: 1, burstSize: 5 });
    expect(await request(4)).toMatchObject({ code: 'rate_limited' });
  });
});
