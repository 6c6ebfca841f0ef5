import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { ERROR_CODES, type ErrorCode } from '../common/errors/error-codes';
import type { BatchResult } from './batch';

/**
 * Counts the outcomes of batch items, because the response to a batch is always a success, and the signatures that were
 * made but not returned.
 */
@Injectable()
export class SigningMetrics {
  private readonly items: Counter<'outcome'>;
  private readonly withheld: Counter<'reason'>;

  constructor(registry: Registry) {
    this.items = new Counter({
      name: 'signing_batch_items_total',
      help: 'Items of signing batches: success, or the code of the failure',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.withheld = new Counter({
      name: 'signatures_withheld_total',
      help: 'Signatures of key services that were withheld, by the error code of the reason',
      labelNames: ['reason'],
      registers: [registry],
    });
    // Counters start at zero, so that the first failure is visible as an increase and triggers alerts.
    for (const outcome of ['success', ...ERROR_CODES]) this.items.inc({ outcome }, 0);
    for (const reason of ERROR_CODES) this.withheld.inc({ reason }, 0);
  }

  countWithheld(reason: ErrorCode): void {
    this.withheld.inc({ reason });
  }

  countBatch(results: readonly BatchResult<unknown>[]): void {
    for (const result of results) this.items.inc({ outcome: 'error' in result ? result.code : 'success' });
  }
}
