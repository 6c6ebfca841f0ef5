import type { WebhookSettings } from '../../config/app-config';

/** A failed attempt. */
export interface FailedAttempt {
  at: Date;
  /** The number of attempts including this one, at least 1. */
  attempts: number;
  giveUpAt: Date;
  /** The delay that the receiver requested, in milliseconds. */
  retryAfterMs: number | undefined;
}

/**
 * When to try again; null if never. The delay is random, up to a bound that doubles with each attempt (full jitter), so
 * that deliveries that failed together are not retried together. It is longer if the receiver requested that. The last
 * attempt is due no later than `giveUpAt`, so that the whole retry period is used.
 *
 * @param random from 0 to 1
 */
export function nextAttemptAt(
  { at, attempts, giveUpAt, retryAfterMs = 0 }: FailedAttempt,
  { firstRetryMs, longestRetryMs }: Pick<WebhookSettings, 'firstRetryMs' | 'longestRetryMs'>,
  random: number,
): Date | null {
  if (at >= giveUpAt) return null;
  const bound = Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 30), longestRetryMs);
  const ours = Math.min(at.getTime() + random * bound, giveUpAt.getTime());
  const next = Math.max(ours, at.getTime() + retryAfterMs);
  return next > giveUpAt.getTime() ? null : new Date(next);
}
