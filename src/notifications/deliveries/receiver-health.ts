import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, IsNull } from 'typeorm';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import { SwitchedOffReceivers } from './switched-off-receivers';

/** How receivers are doing, in the database: since when they fail, and which are not called any more. */
@Injectable()
export class ReceiverHealth {
  private readonly switchOffAfterMs: number;
  /** After this long without an attempt, earlier failures of a receiver do not count. */
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
   * Records what attempts show about their receivers. A receiver that has failed for too long is not called any more; one
   * that has accepted anything does not count as failing. To be called last in the unit of work of the outcomes: others wait for these rows.
   *
   * @param took the notifications whose receivers have taken a delivery, by id, and when the attempt began
   * @param failed likewise those whose receivers have not
   */
  async keep(took: ReadonlyMap<string, Date>, failed: ReadonlyMap<string, Date>): Promise<void> {
    const now = new Date();
    // Asked now: since the deliveries were claimed others may have kept something.
    const receivers = await this.notifications.find({
      select: { id: true, failingSince: true, lastFailedAt: true, switchedOffAt: true },
      where: { id: In([...took.keys(), ...failed.keys()]) },
      order: { id: 'ASC' },
    });
    for (const receiver of receivers) {
      const tookSince = took.get(receiver.id);
      if (tookSince) await this.keepSuccess(receiver, tookSince);
      else await this.keepFailure(receiver, now);
    }
  }

  private async keepSuccess(
    { id, failingSince, switchedOffAt }: NotificationEntity,
    since: Date,
  ): Promise<void> {
    // Deliveries that were requested since then do not switch it on.
    const isFalselyOff = switchedOffAt !== null && switchedOffAt > since;
    if (!failingSince && !isFalselyOff) return;
    await this.notifications.update(
      { id },
      { failingSince: null, ...(isFalselyOff && { switchedOffAt: null }) },
    );
  }

  private async keepFailure(
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
    if (isOff && affected)
      this.unitOfWork.afterCommit(() => {
        this.switchedOff.wake();
      });
  }

  private get notifications() {
    return this.unitOfWork.repository(NotificationEntity);
  }
}
