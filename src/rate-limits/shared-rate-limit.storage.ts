import { Logger, OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimitStorage } from './rate-limit-storage';
import { within } from '../common/event-loop/within';
import { outsideRequests } from '../common/http/request-context';
import { Outage } from '../redis/outage';
import type { RateLimitMetrics } from './rate-limit.metrics';
import type { RedisRateLimitStorage } from './redis-rate-limit.storage';

/** Time that a request waits for Redis before it is counted locally. @limit Database and Redis */
const PATIENCE_MS = 100;
const PROBE_PAUSE_MS = 1000;

/** Redis may count the request after all. */
const noResponse = (): never => {
  throw new Error(`No response within ${PATIENCE_MS} ms`);
};

/**
 * Counts in Redis or, while that is unavailable or slow, in this process. The outage begins with the first request for
 * which Redis fails: from then on no request uses Redis until a probe succeeds in time.
 */
export class SharedRateLimitStorage extends RateLimitStorage implements OnApplicationShutdown {
  private readonly outage = new Outage(
    new Logger('RateLimits'),
    'Redis does not count requests: this instance limits them by itself',
    'Redis counts requests again',
  );
  private nextProbe: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly shared: RedisRateLimitStorage,
    private readonly local: RateLimitStorage,
    private readonly metrics: RateLimitMetrics,
  ) {
    super();
  }

  async charge(
    ...[key, ttl, limit, charge]: Parameters<RateLimitStorage['charge']>
  ): ReturnType<ThrottlerStorage['increment']> {
    if (!this.outage.ongoing) {
      try {
        const record = await within(PATIENCE_MS, this.shared.charge(key, ttl, limit, charge), noResponse);
        this.metrics.countDecision('shared');
        return record;
      } catch (error) {
        this.beginOutage(error);
      }
    }
    this.metrics.countDecision('local');
    return this.local.charge(key, ttl, limit, charge);
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.nextProbe);
  }

  private beginOutage(cause: unknown): void {
    if (this.outage.ongoing || this.stopped) return;
    this.outage.begin(cause);
    this.metrics.showFallback(true);
    this.probeLater();
  }

  private probeLater(): void {
    const probe = (): void => void outsideRequests(() => this.probe());
    this.nextProbe = setTimeout(probe, PROBE_PAUSE_MS).unref();
  }

  private async probe(): Promise<void> {
    try {
      await within(PATIENCE_MS, this.shared.probe(), noResponse);
      this.outage.end();
      this.metrics.showFallback(false);
    } catch {
      if (this.stopped) return;
      this.shared.reconnect();
      this.probeLater();
    }
  }
}
