import type { AppConfig } from '../config/app-config';

/** A rate and a burst as the throttler takes them: so many requests, regained over `ttl` milliseconds. */
export function bucketOf({ requestsPerSecond, burstSize }: AppConfig['rateLimit']): {
  limit: number;
  ttl: number;
} {
  return { limit: burstSize, ttl: (burstSize / requestsPerSecond) * 1000 };
}
