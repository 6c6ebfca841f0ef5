import type { WebhookSettings } from '../../config/app-config';

/**
 * How long to wait after an attempt that failed, in milliseconds: anything up to a bound that doubles with each attempt
 * (full jitter), so that deliveries which failed together do not come back together; longer where the receiver asked for it.
 *
 * @param attempts how many there were, at least 1
 * @param random from 0 to 1
 */
export function retryDelay(
  attempts: number,
  retryAfterMs: number | undefined,
  { firstRetryMs, longestRetryMs }: WebhookSettings,
  random: number,
): number {
  const bound = Math.min(firstRetryMs * 2 ** Math.min(attempts - 1, 30), longestRetryMs);
  return Math.max(random * bound, retryAfterMs ?? 0);
}
