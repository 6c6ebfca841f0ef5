import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import { DeliveryEntity } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';

/** The number of deliveries per transaction. */
const BATCH = 500;

/**
 * Ends the pending deliveries of receivers that were switched off. It works in batches, because there may be many after
 * days of failures. If an instance stops before it has finished, another finds the rest within an hour.
 */
@Injectable()
export class SwitchedOffReceivers extends Purge {
  private readonly retryForMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: DeliveryMetrics,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'deliveries to receivers that are switched off');
    this.retryForMs = config.get('webhooks', { infer: true }).retryForMs;
  }

  async purgeSome(): Promise<boolean> {
    // Read again for each batch, because a receiver may have been switched on since.
    const receivers = await this.unitOfWork.repository(NotificationEntity).find({
      select: { id: true, switchedOffAt: true },
      where: { switchedOffAt: Not(IsNull()) },
    });
    for (const { id, switchedOffAt } of receivers)
      if (switchedOffAt && (await this.endSome(id, switchedOffAt))) return true;
    return false;
  }

  /** @returns whether there were any */
  private async endSome(notificationId: string, switchedOffAt: Date): Promise<boolean> {
    // Deliveries that were requested since then are still attempted; their retry period ends later.
    const giveUpAt = LessThanOrEqual(new Date(switchedOffAt.getTime() + this.retryForMs));
    const pending = { notificationId, state: 'pending' as const, giveUpAt };
    const some = await this.deliveries.find({
      select: { id: true, event: true },
      where: pending,
      take: BATCH,
    });
    if (some.length === 0) return false;
    await this.unitOfWork.run(async () => {
      for (const event of new Set(some.map((delivery) => delivery.event))) {
        const ids = some.filter((delivery) => delivery.event === event).map(({ id }) => id);
        const { affected } = await this.deliveries.update(
          { ...pending, id: In(ids) },
          { state: 'dead', lastFailure: 'switched_off', nextAttemptAt: null, finishedAt: new Date() },
        );
        this.metrics.countEnded(event, 'dead', affected ?? 0);
      }
    });
    return true;
  }

  private get deliveries() {
    return this.unitOfWork.repository(DeliveryEntity);
  }
}
