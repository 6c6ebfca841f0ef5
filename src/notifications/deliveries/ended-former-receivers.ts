import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull, Not } from 'typeorm';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import type { EventPayload } from '../events/notification-event';
import { NotificationEntity } from '../notification.entity';
import { DeliveryEntity } from './delivery.entity';
import { withPending } from './with-pending';

/** Small, because the attempts of each delivery are deleted too. */
const BATCH = 20;

/** Often, so that former URLs and keys are not stored for long. */
const EVERY_MS = 10_000;

const FORMER = { formerHost: Not(IsNull()), deletedAt: Not(IsNull()) };

/** Deletes the rows of former receivers whose event was delivered or abandoned, with their deliveries. */
@Injectable()
export class EndedFormerReceivers extends Purge {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'former receivers', EVERY_MS);
  }

  async purgeSome(): Promise<boolean> {
    const ended = await this.notifications.find({
      select: { id: true },
      where: { ...FORMER, id: withPending(false) },
      take: BATCH,
    });
    for (const { id } of ended) await this.unitOfWork.run(() => this.forget(id));
    return ended.length > 0;
  }

  private async forget(id: string): Promise<void> {
    const abandoned = await this.unitOfWork.repository(DeliveryEntity).findBy({
      notificationId: id,
      state: 'dead',
    });
    const { affected } = await this.notifications.delete({ id, ...FORMER });
    // Another instance has deleted it, and reported this.
    if (affected === 0) return;
    this.unitOfWork.afterCommit(() => {
      for (const { event, payload, lastFailure } of abandoned)
        this.logger.warn('A former receiver did not accept an event', {
          notification: (payload as EventPayload).notification_id,
          event,
          cause: lastFailure,
        });
    });
  }

  private get notifications() {
    return this.unitOfWork.repository(NotificationEntity);
  }
}
