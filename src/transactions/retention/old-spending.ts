import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work';
import { AccountSpendingEntity } from '../spending/account-spending.entity';
import { bucketAt } from '../spending/spend-limits';

const BATCH = 100;
/** One day longer than the longest period of a limit. */
const COUNTED_MS = 8 * 86_400_000;

/** Spending that is too old to count towards any limit. */
@Injectable()
export class OldSpending {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Deletes a batch. @returns whether there was anything to delete */
  async purgeSome(): Promise<boolean> {
    const rows = this.unitOfWork.repository(AccountSpendingEntity);
    const found = await rows.find({
      select: { accountId: true, bucket: true },
      where: { bucket: LessThan(bucketAt(Date.now() - COUNTED_MS)) },
      order: { bucket: 'ASC' },
      take: BATCH,
    });
    if (found.length === 0) return false;
    const keys = found.map(({ accountId, bucket }) => ({ accountId, bucket }));
    await this.unitOfWork.run(() => this.unitOfWork.repository(AccountSpendingEntity).delete(keys));
    return true;
  }
}
