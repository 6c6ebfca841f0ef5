import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, IsNull, LessThan, Not } from 'typeorm';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { AccountSpendingEntity } from '../spending/account-spending.entity';
import { bucketAt } from '../spending/spend-limits';
import { TransactionAttemptEntity } from '../transaction-attempt.entity';
import { TransactionEntity } from '../transaction.entity';

/** Small, because attempts are deleted too: dozens per transaction if gas was expensive. */
const BATCH = 100;
/** One day longer than the longest period of a limit. */
const COUNTED_MS = 8 * 86_400_000;

/** Purges final transactions that are older than the retention period, and spending that no limit counts. */
@Injectable()
export class TransactionRetention extends Purge {
  private readonly retentionMs: number | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'transactions');
    this.retentionMs = config.get('transactions', { infer: true }).retentionMs;
  }

  async purgeSome(): Promise<boolean> {
    if (await this.purgeSpending()) return true;
    if (this.retentionMs === undefined) return false;
    return this.purgeTransactions(new Date(Date.now() - this.retentionMs));
  }

  /**
   * Deletes the oldest transactions that became final before a time. The signed bytes of their attempts, which take
   * most of the space, are deleted first, in a unit of work of their own. They are kept until then because sending them
   * again can repair a chain whose node was reset.
   *
   * @returns whether there were any
   */
  async purgeTransactions(before: Date): Promise<boolean> {
    const found = await this.transactions.find({
      select: { id: true },
      where: { finishedAt: LessThan(before) },
      order: { finishedAt: 'ASC' },
      take: BATCH,
    });
    if (found.length === 0) return false;
    const ids = found.map(({ id }) => id);
    await this.unitOfWork.run(() =>
      this.attempts.update({ transactionId: In(ids), raw: Not(IsNull()) }, { raw: null }),
    );
    await this.unitOfWork.run(() => this.transactions.delete({ id: In(ids) }));
    return true;
  }

  /** Deletes spending that is too old to count towards any limit. @returns whether there was any */
  private async purgeSpending(): Promise<boolean> {
    const found = await this.spending.find({
      select: { accountId: true, bucket: true },
      where: { bucket: LessThan(bucketAt(Date.now() - COUNTED_MS)) },
      order: { bucket: 'ASC' },
      take: BATCH,
    });
    if (found.length === 0) return false;
    const keys = found.map(({ accountId, bucket }) => ({ accountId, bucket }));
    await this.unitOfWork.run(() => this.spending.delete(keys));
    return true;
  }

  private get transactions() {
    return this.unitOfWork.repository(TransactionEntity);
  }

  private get attempts() {
    return this.unitOfWork.repository(TransactionAttemptEntity);
  }

  private get spending() {
    return this.unitOfWork.repository(AccountSpendingEntity);
  }
}
