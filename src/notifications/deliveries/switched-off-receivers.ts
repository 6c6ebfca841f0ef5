import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { type FindOptionsWhere, In, IsNull, LessThanOrEqual, MoreThanOrEqual, Not } from 'typeorm';
import { CLOCK_DIFFERENCE_MS } from '../../background/clock-difference';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import { DeliveryEntity } from './delivery.entity';
import { dueAfresh } from './due-afresh';
import { DeliveryMetrics } from './delivery.metrics';

/** The number of deliveries per transaction. */
const BATCH = 500;

/** The receiver has been switched on since its deliveries were read. */
class SwitchedOnError extends Error {}

/**
 * Ends the pending deliveries of receivers that were switched off, and makes them pending again if that was a mistake. It
 * works in batches, because there may be many after days of failures. If an instance stops before all are ended,
 * another finds the rest within an hour. If it stops before all are pending again, the rest can be replayed.
 */
@Injectable()
export class SwitchedOffReceivers extends Purge {
  private readonly retryForMs: number;
  /** When the receivers of notifications were switched off by mistake whose deliveries become pending again. */
  private readonly mistakes = new Map<string, Date>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly metrics: DeliveryMetrics,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'deliveries to receivers that are switched off');
    this.retryForMs = config.get('webhooks', { infer: true }).retryForMs;
  }

  /**
   * Makes the deliveries pending again that ended because a receiver was switched off by mistake: some in the current
   * unit of work, the others after its commit.
   */
  async restore(notificationId: string, switchedOffAt: Date): Promise<void> {
    await this.restoreSome(notificationId, switchedOffAt);
    this.unitOfWork.afterCommit(() => {
      this.mistakes.set(notificationId, switchedOffAt);
      this.wake();
    });
  }

  async purgeSome(): Promise<boolean> {
    for (const [id, switchedOffAt] of this.mistakes) {
      if (await this.restoreSome(id, switchedOffAt)) return true;
      this.mistakes.delete(id);
    }
    // Read again for each batch, because a receiver may have been switched on since.
    const receivers = await this.notifications.find({
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
    try {
      await this.unitOfWork.run(() => this.end(pending, some));
    } catch (error) {
      if (!(error instanceof SwitchedOnError)) throw error;
    }
    return true;
  }

  /** The receiver is locked after its deliveries, as by those who save the results of attempts. */
  private async end(
    pending: FindOptionsWhere<DeliveryEntity> & { notificationId: string },
    some: readonly Pick<DeliveryEntity, 'id' | 'event'>[],
  ): Promise<void> {
    for (const event of new Set(some.map((delivery) => delivery.event))) {
      const ids = some.filter((delivery) => delivery.event === event).map(({ id }) => id);
      const { affected } = await this.deliveries.update(
        { ...pending, id: In(ids) },
        { state: 'dead', lastFailure: 'switched_off', nextAttemptAt: null, finishedAt: new Date() },
      );
      this.metrics.countEnded(event, 'dead', affected ?? 0);
    }
    const isOff = await this.notifications.findOne({
      select: { id: true },
      where: { id: pending.notificationId, switchedOffAt: Not(IsNull()) },
      ...this.unitOfWork.lockingRows,
    });
    if (!isOff) throw new SwitchedOnError();
  }

  /** @returns whether there were any */
  private async restoreSome(notificationId: string, switchedOffAt: Date): Promise<boolean> {
    const ended = {
      notificationId,
      state: 'dead' as const,
      lastFailure: 'switched_off' as const,
      // Another instance may have ended them.
      finishedAt: MoreThanOrEqual(new Date(switchedOffAt.getTime() - CLOCK_DIFFERENCE_MS)),
    };
    const some = await this.deliveries.find({ select: { id: true }, where: ended, take: BATCH });
    if (some.length === 0) return false;
    const id = In(some.map((delivery) => delivery.id));
    // The next sweep finds them.
    await this.unitOfWork.run(() => this.deliveries.update({ ...ended, id }, dueAfresh(this.retryForMs)));
    return true;
  }

  private get notifications() {
    return this.unitOfWork.repository(NotificationEntity);
  }

  private get deliveries() {
    return this.unitOfWork.repository(DeliveryEntity);
  }
}
