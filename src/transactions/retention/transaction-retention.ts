import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { OldSpending } from './old-spending';
import { OldTransactions } from './old-transactions';

/** Purges final transactions that are older than the retention period, and spending that no limit counts. */
@Injectable()
export class TransactionRetention extends Purge {
  private readonly retentionMs: number | undefined;

  constructor(
    private readonly transactions: OldTransactions,
    private readonly spending: OldSpending,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'transactions');
    this.retentionMs = config.get('transactions', { infer: true }).retentionMs;
  }

  async purgeSome(): Promise<boolean> {
    if (await this.spending.purgeSome()) return true;
    if (this.retentionMs === undefined) return false;
    return this.transactions.purgeSome(new Date(Date.now() - this.retentionMs));
  }
}
