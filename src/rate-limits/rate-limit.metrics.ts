import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of where requests are counted, for a service with shared limits. */
export class RateLimitMetrics {
  private readonly decisions: Counter<'store'>;
  private readonly fallback: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.decisions = new Counter({
      name: 'rate_limit_decisions_total',
      help: 'Requests counted by the rate limits: shared in Redis, or local to this instance while Redis is unavailable',
      labelNames: ['store'],
      registers,
    });
    for (const store of ['shared', 'local']) this.decisions.inc({ store }, 0);
    this.fallback = new Gauge({
      name: 'rate_limit_fallback',
      help: '1 while this instance limits requests by itself because Redis does not respond in time',
      aggregator: 'max',
      registers,
    });
  }

  countDecision(store: 'shared' | 'local'): void {
    this.decisions.inc({ store });
  }

  showFallback(active: boolean): void {
    this.fallback.set(active ? 1 : 0);
  }
}
