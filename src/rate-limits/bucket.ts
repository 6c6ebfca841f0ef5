import type { AppConfig } from '../config/app-config';

/**
 * Converts a rate and a burst to the throttler's terms: `limit` requests, which are regained over `ttl` milliseconds.
 */
export function bucketOf({ requestsPerSecond, burstSize }: AppConfig['rateLimit']): {
  limit: number;
  ttl: number;
} {
  return { limit: burstSize, ttl: (burstSize / requestsPerSecond) * 1000 };
}
