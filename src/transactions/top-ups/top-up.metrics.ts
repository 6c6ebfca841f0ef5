import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';

const RESULTS = ['accepted', 'rejected', 'failed'] as const;

/** The result of a top-up: accepted as a transaction, rejected as such, or failed because something did not respond. */
type TopUpResult = (typeof RESULTS)[number];

/** Counts attempted top-ups. */
@Injectable()
export class TopUpMetrics {
  private readonly results: Counter<'result'>;

  constructor(registry: Registry) {
    this.results = new Counter({
      name: 'relayer_top_ups_total',
      help: 'Top-ups of relayers: accepted as transactions, rejected (policies, limits and state of the sending relayer), or failed',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of RESULTS) this.results.inc({ result }, 0);
  }

  count(result: TopUpResult): void {
    this.results.inc({ result });
  }
}
