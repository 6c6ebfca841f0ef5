import type { Redis } from 'ioredis';
import { RedisRateLimitStorage } from './redis-rate-limit.storage';

/** Of a Redis that responds to every script with this. */
const storageOn = (response: unknown): RedisRateLimitStorage =>
  new RedisRateLimitStorage({
    defineCommand: () => undefined,
    chargeBucket: () => Promise.resolve(response),
  } as unknown as Redis);

describe('RedisRateLimitStorage', () => {
  it('reads the numbers of a response', async () => {
    expect(await storageOn(['3', '0.5']).increment('token', 10_000, 10)).toEqual({
      totalHits: 3,
      timeToExpire: 3,
      isBlocked: true,
      timeToBlockExpire: 1,
    });
  });

  it.each([
    [['nan', 'nan']],
    [['1', 'inf']],
    [['foo', 'bar']],
    [[null, null]],
    [['', '']],
    [['1']],
    [['1', '0', '0']],
    [[1, 0]],
    [null],
    ['OK'],
    [5],
  ])('throws an error for the response %j, which would not limit anything', async (response) => {
    await expect(storageOn(response).increment('token', 10_000, 10)).rejects.toThrow(
      'Redis did not respond with two numbers',
    );
  });
});
