import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { IsNull, Not } from 'typeorm';
import { ageInSeconds, ReadAtScrape } from '../database/read-at-scrape';
import { UnitOfWork } from '../database/unit-of-work';
import { OPEN } from './transaction-status';
import { TransactionEntity } from './transaction.entity';

/** The number of transactions that are not final, and the age of the oldest. Read from the database at each scrape. */
@Injectable()
export class TransactionGauges {
  private readonly open: Gauge<'status'>;
  private readonly oldest: Gauge;
  private readonly scrape = new ReadAtScrape(
    'Open transactions',
    () => {
      this.open.reset();
      this.oldest.remove();
    },
    () => this.read(),
  );

  constructor(
    registry: Registry,
    private readonly unitOfWork: UnitOfWork,
  ) {
    const common = {
      aggregator: 'max' as const,
      registers: [registry],
      collect: () => this.scrape.collect(),
    };
    this.open = new Gauge({
      name: 'transactions_open',
      help: 'Transactions that are not final; all instances show the same',
      labelNames: ['status'],
      ...common,
    });
    this.oldest = new Gauge({
      name: 'transaction_oldest_open_seconds',
      help: 'Age of the oldest transaction that is not final; all instances show the same',
      ...common,
    });
  }

  private async read(): Promise<void> {
    const rows = await this.unitOfWork
      .repository(TransactionEntity)
      .createQueryBuilder('transaction')
      .select('transaction.status', 'status')
      .addSelect('COUNT(*)', 'count')
      .where({ openRelayerId: Not(IsNull()) })
      .groupBy('transaction.status')
      .getRawMany<{ status: string; count: number | string }>();
    for (const status of OPEN) this.open.set({ status }, 0);
    for (const { status, count } of rows) this.open.set({ status }, Number(count));
    this.oldest.set(await this.oldestAge());
  }

  private async oldestAge(): Promise<number> {
    const [oldest] = await this.unitOfWork.repository(TransactionEntity).find({
      select: { id: true, createdAt: true },
      where: { openRelayerId: Not(IsNull()) },
      order: { createdAt: 'ASC' },
      take: 1,
    });
    return ageInSeconds(oldest);
  }
}
