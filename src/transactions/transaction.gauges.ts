import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { IsNull, Not } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { UnitOfWork } from '../database/unit-of-work';
import { OPEN } from './transaction-status';
import { TransactionEntity } from './transaction.entity';

/** The metrics are public and never limited: however often they are scraped, the table is read this often. */
const SHARED_FOR_MS = 5000;

/** Transactions that are not final: how many, and how old the oldest is. Read from the database when they are scraped. */
@Injectable()
export class TransactionGauges {
  private readonly logger = new Logger(TransactionGauges.name);
  private readonly open: Gauge<'status'>;
  private readonly oldest: Gauge;
  private reading: Promise<void> = Promise.resolve();
  private readAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly unitOfWork: UnitOfWork,
  ) {
    const common = {
      aggregator: 'max' as const,
      registers: [registry],
      collect: () => this.readOnce(),
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

  private readOnce(): Promise<void> {
    if (performance.now() - this.readAt > SHARED_FOR_MS) {
      this.readAt = performance.now();
      this.reading = this.read();
    }
    return this.reading;
  }

  /** Without a database the gauges have no values. */
  private async read(): Promise<void> {
    this.open.reset();
    this.oldest.remove();
    try {
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
    } catch (error) {
      this.logger.warn('Open transactions could not be counted', { cause: causeOf(error) });
    }
  }

  private async oldestAge(): Promise<number> {
    const [oldest] = await this.unitOfWork.repository(TransactionEntity).find({
      select: { id: true, createdAt: true },
      where: { openRelayerId: Not(IsNull()) },
      order: { createdAt: 'ASC' },
      take: 1,
    });
    return oldest ? Math.max(0, (Date.now() - oldest.createdAt.getTime()) / 1000) : 0;
  }
}
