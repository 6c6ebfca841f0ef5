import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { BatchResult } from './batch';

/** How the items of batches ended: the answer to a batch is a success, whatever became of them. */
@Injectable()
export class SigningMetrics {
  private readonly items: Counter<'outcome'>;

  constructor(registry: Registry) {
    this.items = new Counter({
      name: 'signing_batch_items_total',
      help: 'Items of signing batches: success, or the code of the failure',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  countBatch(results: readonly BatchResult<unknown>[]): void {
    const counts = new Map<string, number>();
    for (const result of results) {
      const outcome = 'error' in result ? result.code : 'success';
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    }
    for (const [outcome, count] of counts) this.items.inc({ outcome }, count);
  }
}
