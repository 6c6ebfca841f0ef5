import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Loop } from '../../background/loop';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig } from '../../config/app-config';
import { OldSpending } from './old-spending';
import { OldTransactions } from './old-transactions';

/** Between two batches, for those who wait for the database. */
const BATCH_PAUSE_MS = 50;
const PURGE_MS = 3_600_000;

/** Purges final transactions that are older than the retention, and spending that no limit counts: at the start and every hour. */
@Injectable()
export class TransactionRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(TransactionRetention.name);
  private readonly retentionMs: number | undefined;
  private readonly isActive: boolean;
  private readonly loop = new Loop(() => this.purgeSome());

  constructor(
    private readonly transactions: OldTransactions,
    private readonly spending: OldSpending,
    config: ConfigService<AppConfig, true>,
  ) {
    this.retentionMs = config.get('transactions', { infer: true }).retentionMs;
    this.isActive = config.get('background', { infer: true });
  }

  onApplicationBootstrap(): void {
    if (this.isActive) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns how long to pause, in milliseconds */
  private async purgeSome(): Promise<number> {
    try {
      return (await this.purgeBatch()) ? BATCH_PAUSE_MS : PURGE_MS;
    } catch (error) {
      this.logger.warn('Old transactions could not be purged', { cause: causeOf(error) });
      return PURGE_MS;
    }
  }

  /** @returns whether there was anything to purge */
  private async purgeBatch(): Promise<boolean> {
    if (await this.spending.purgeSome()) return true;
    if (this.retentionMs === undefined) return false;
    return this.transactions.purgeSome(new Date(Date.now() - this.retentionMs));
  }
}
