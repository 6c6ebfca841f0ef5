import { METHODS } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Counter, Histogram, Registry } from 'prom-client';
import { ERROR_CODES, type ErrorCode } from '../common/errors/error-codes';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const KNOWN_METHODS = new Set(METHODS);

/** The metrics for one combination of labels. They are cached, because looking them up costs more than counting. */
interface Series {
  requests: Counter.Internal;
  duration: Histogram.Internal<'route' | 'method' | 'status'>;
}

/** Counts and times requests by route template, method and status, and counts refused ones. */
@Injectable()
export class HttpMetrics {
  private readonly requests: Counter<'route' | 'method' | 'status'>;
  private readonly duration: Histogram<'route' | 'method' | 'status'>;
  private readonly throttled: Counter;
  private readonly refused: Counter<'reason'>;
  private readonly series = new Map<string, Series>();

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['route', 'method', 'status'] as const;
    this.requests = new Counter({
      name: 'http_requests_total',
      help: 'Responses by route template (or unmatched), method (OTHER if the HTTP parser rejected the request) and status',
      labelNames,
      registers,
    });
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its response',
      labelNames,
      buckets: SECONDS,
      registers,
    });
    this.throttled = new Counter({
      name: 'http_requests_throttled_total',
      help: 'Requests refused because a rate limit was used up',
      registers,
    });
    this.refused = new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests that ended in a failure, by its code',
      labelNames: ['reason'],
      registers,
    });
    // Counters start at zero, so that the first refusal is visible as an increase and triggers alerts.
    for (const reason of ERROR_CODES) this.refused.inc({ reason }, 0);
  }

  observe(request: Request, response: Response, seconds: number): void {
    const series = this.seriesOf(routeTemplate(request), methodLabel(request), response.statusCode);
    series.requests.inc();
    series.duration.observe(seconds);
    const reason = response.locals.errorCode as ErrorCode | undefined;
    if (reason === undefined) return;
    this.refused.inc({ reason });
    if (reason === 'rate_limited') this.throttled.inc();
  }

  /** The labels come from closed sets, so the cache is bounded. */
  private seriesOf(route: string, method: string, status: number): Series {
    const key = `${status} ${method} ${route}`;
    let series = this.series.get(key);
    if (!series) {
      const labels = { route, method, status };
      series = { requests: this.requests.labels(labels), duration: this.duration.labels(labels) };
      this.series.set(key, series);
    }
    return series;
  }

  /** Counts a request that the HTTP parser rejected, so that neither its route nor its method is known. */
  observeRejected(status: number, reason: ErrorCode): void {
    this.requests.inc({ route: 'unmatched', method: 'OTHER', status });
    this.refused.inc({ reason });
  }
}

/** For example `/api/v1/relayers/:relayer_id`, but never the path itself, because labels must come from closed sets. */
export function routeTemplate(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : 'unmatched';
}

function methodLabel(request: Request): string {
  return KNOWN_METHODS.has(request.method) ? request.method : 'OTHER';
}
