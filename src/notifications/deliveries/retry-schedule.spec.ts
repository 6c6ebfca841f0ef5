import { nextAttemptAt } from './retry-schedule';

const SETTINGS = { firstRetryMs: 5000, longestRetryMs: 3_600_000 };
const AT = new Date('2026-01-31T12:00:00.000Z');
const DAY_MS = 86_400_000;
const later = (milliseconds: number) => new Date(AT.getTime() + milliseconds);

describe('nextAttemptAt', () => {
  const next = (
    random: number,
    { attempts = 1, giveUpAt = later(DAY_MS), retryAfterMs = undefined as number | undefined },
  ) => nextAttemptAt({ at: AT, attempts, giveUpAt, retryAfterMs }, SETTINGS, random);

  it.each([
    [1, 5000],
    [2, 10_000],
    [3, 20_000],
    [10, 2_560_000],
    [11, 3_600_000],
    [31, 3_600_000],
    [100_000, 3_600_000],
  ])('after %d attempts is a random time within %d ms', (attempts, bound) => {
    expect([0, 0.5, 1].map((random) => next(random, { attempts }))).toEqual([
      AT,
      later(bound / 2),
      later(bound),
    ]);
  });

  it.each([
    [0, 2500],
    [2499, 2500],
    [2501, 2501],
    [DAY_MS, DAY_MS],
  ])('is not before the Retry-After of %d ms', (retryAfterMs, delay) => {
    expect(next(0.5, { retryAfterMs })).toEqual(later(delay));
  });

  it.each([1, 2499, 2500])('is not after the end of the retry period, %d ms later', (left) => {
    expect(next(0.5, { giveUpAt: later(left) })).toEqual(later(left));
  });

  it.each([0, -1])('is null when the retry period has ended, %d ms later', (left) => {
    expect(next(0, { giveUpAt: later(left) })).toBeNull();
  });

  it('is null when the Retry-After exceeds the retry period', () => {
    expect(next(0, { giveUpAt: later(1000), retryAfterMs: 1000 })).toEqual(later(1000));
    expect(next(0, { giveUpAt: later(1000), retryAfterMs: 1001 })).toBeNull();
  });
});
