import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull, Not } from 'typeorm';
import { Purge } from '../background/purge';
import type { AppConfig } from '../config/app-config';
import { UnitOfWork } from '../database/unit-of-work';
import { deleteSome } from './deliveries/delete-deliveries';
import { DeliveryEntity } from './deliveries/delivery.entity';
import { NotificationEntity } from './notification.entity';

/**
 * Deletes the rows of notifications that were deleted: first their deliveries, in batches, because there may be many,
 * each with dozens of attempts. If an instance stops before it has finished, another finds the rest within an hour.
 */
@Injectable()
export class DeletedNotifications extends Purge {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'notifications');
  }

  async purgeSome(): Promise<boolean> {
    const row = await this.notifications.findOne({
      select: { id: true },
      where: { deletedAt: Not(IsNull()), formerHost: IsNull() },
    });
    if (!row) return false;
    await this.forgetSome(row.id);
    return true;
  }

  /** Deletes the rows of one notification. */
  async finish(id: string): Promise<void> {
    while (await this.forgetSome(id)) await turn();
  }

  /** @returns whether there may be more */
  private async forgetSome(id: string): Promise<boolean> {
    const deleted = { id, deletedAt: Not(IsNull()), formerHost: IsNull() };
    return this.unitOfWork.run(async () => {
      // Another instance may have finished, and the id may be that of a new notification.
      if (!(await this.notifications.existsBy(deleted))) return false;
      if (await deleteSome(this.unitOfWork.repository(DeliveryEntity), { notificationId: id })) return true;
      await this.notifications.delete(deleted);
      return false;
    });
  }

  private get notifications() {
    return this.unitOfWork.repository(NotificationEntity);
  }
}
