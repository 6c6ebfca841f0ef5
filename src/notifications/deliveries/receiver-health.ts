import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, IsNull } from 'typeorm';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import { SwitchedOffReceivers } from './switched-off-receivers';

/** The health of receivers in the database: since when they have been failing, and which are switched off. */
@Injectable()
export class ReceiverHealth {
  private readonly switchOffAfterMs: number;
  /** If there was no attempt for this long, earlier failures of a receiver do not count. */
  private readonly unknownAfterMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly switchedOff: SwitchedOffReceivers,
    config: ConfigService<AppConfig, true>,
  ) {
    const { switchOffAfterMs, longestRetryMs } = config.get('webhooks', { infer: true });
    this.switchOffAfterMs = switchOffAfterMs;
    this.unknownAfterMs = Math.max(switchOffAfterMs / 3, longestRetryMs);
  }

  /**
   * Records which receivers accepted a delivery and which failed. A receiver that has failed for too long is switched
   * off; one that has accepted anything does not count as failing. If it was switched off meanwhile, that was a mistake:
   * it is switched on, and the deliveries that ended since then are pending again. Must be called last in the unit of
   * work of the results, because others wait for these rows.
   *
   * @param accepted for each notification, when the attempt began that the receiver accepted
   * @param failed the same for receivers that accepted nothing
   */
  async record(accepted: ReadonlyMap<string, Date>, failed: ReadonlyMap<string, Date>): Promise<void> {
    const now = new Date();
    // Not taken from the deliveries, because others may have recorded results since these were claimed.
    const receivers = await this.notifications.find({
      select: { id: true, failingSince: true, lastFailedAt: true, switchedOffAt: true },
      where: { id: In([...accepted.keys(), ...failed.keys()]) },
      order: { id: 'ASC' },
    });
    for (const receiver of receivers) {
      const acceptedAt = accepted.get(receiver.id);
      if (acceptedAt) await this.recordSuccess(receiver, acceptedAt);
      else await this.recordFailure(receiver, now);
    }
  }

  private async recordSuccess(
    { id, failingSince, switchedOffAt }: NotificationEntity,
    since: Date,
  ): Promise<void> {
    // Only if the attempt began before it was switched off: a requested delivery does not switch a receiver on again.
    const falselyOffAt = switchedOffAt !== null && switchedOffAt > since ? switchedOffAt : null;
    if (!failingSince && !falselyOffAt) return;
    const { affected } = await this.notifications.update(
      { id, switchedOffAt: switchedOffAt ?? IsNull() },
      { failingSince: null, ...(falselyOffAt && { switchedOffAt: null }) },
    );
    if (affected === 0) {
      // Another instance has switched it off or on since it was read.
      const current = await this.notifications.findOne({ where: { id }, ...this.unitOfWork.lockingRows });
      if (current) await this.recordSuccess(current, since);
      return;
    }
    if (falselyOffAt) await this.switchedOff.restore(id, falselyOffAt);
  }

  private async recordFailure(
    { id, failingSince, lastFailedAt, switchedOffAt }: NotificationEntity,
    now: Date,
  ): Promise<void> {
    const isKnown = lastFailedAt !== null && lastFailedAt.getTime() >= now.getTime() - this.unknownAfterMs;
    const since = failingSince && isKnown ? failingSince : now;
    const isOff = switchedOffAt === null && since.getTime() <= now.getTime() - this.switchOffAfterMs;
    const { affected } = await this.notifications.update(
      { id, failingSince: failingSince ?? IsNull(), ...(isOff && { switchedOffAt: IsNull() }) },
      { failingSince: since, lastFailedAt: now, ...(isOff && { switchedOffAt: now }) },
    );
    if (isOff && affected) this.unitOfWork.afterCommit(() => this.switchedOff.wake());
  }

  private get notifications() {
    return this.unitOfWork.repository(NotificationEntity);
  }
}
