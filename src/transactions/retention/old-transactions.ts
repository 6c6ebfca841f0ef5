import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan, Not } from 'typeorm';
import { UnitOfWork } from '../../database/unit-of-work';
import { TransactionAttemptEntity } from '../transaction-attempt.entity';
import { TransactionEntity } from '../transaction.entity';

/** Small, because attempts are deleted too: dozens per transaction if gas was expensive. */
const BATCH = 100;

/** Transactions that became final long ago. */
@Injectable()
export class OldTransactions {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * Deletes the oldest transactions that became final before a time. The signed bytes of their attempts, which take
   * most of the space, are deleted first, in a unit of work of their own. They are kept until then because sending them
   * again can repair a chain whose node was reset.
   *
   * @returns whether there were any
   */
  async purgeSome(before: Date): Promise<boolean> {
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

  private get transactions() {
    return this.unitOfWork.repository(TransactionEntity);
  }

  private get attempts() {
    return this.unitOfWork.repository(TransactionAttemptEntity);
  }
}
