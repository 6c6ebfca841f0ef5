import type { WebhookSettings } from '../../config/app-config';
import { retryDelay } from './retry-schedule';

const SETTINGS = { firstRetryMs: 5000, longestRetryMs: 3_600_000 } as WebhookSettings;

describe('retryDelay', () => {
  it.each([
    [1, 5000],
    [2, 10_000],
    [3, 20_000],
    [10, 2_560_000],
    [11, 3_600_000],
    [31, 3_600_000],
    [100_000, 3_600_000],
  ])('after %d attempts is at most %d ms, and anything below', (attempts, bound) => {
    expect([0, 0.5, 1].map((random) => retryDelay(attempts, undefined, SETTINGS, random))).toEqual([
      0,
      bound / 2,
      bound,
    ]);
  });

  it.each([
    [0, 2500],
    [2499, 2500],
    [2501, 2501],
    [86_400_000, 86_400_000],
  ])('is not less than the %d ms that the receiver asked for', (retryAfter, delay) => {
    expect(retryDelay(1, retryAfter, SETTINGS, 0.5)).toBe(delay);
  });
});
