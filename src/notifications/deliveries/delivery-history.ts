import { Injectable } from '@nestjs/common';
import { LessThan, MoreThanOrEqual, And } from 'typeorm';
import { CursorPage } from '../../common/pagination/cursor-page';
import { IDENTIFIER } from '../../common/validation/fields';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationsService } from '../notifications.service';
import { DeliveryAttemptEntity } from './delivery-attempt.entity';
import { formatCursor } from '../../common/pagination/list-cursor';
import { deliveryNotFound } from './delivery.errors';
import { DeliveryEntity } from './delivery.entity';
import { reachableDeliveries } from './reachable-deliveries';
import type { DeliveryQuery } from './dto/delivery-query.dto';

/** Latest attempts that a delivery shows; one that is replayed often has more. @limit Lists and batches */
const MAX_ATTEMPTS = 100;

/** Reads deliveries and their attempts. */
@Injectable()
export class DeliveryHistory {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly notifications: NotificationsService,
  ) {}

  /** Deliveries of a notification, newest first. @throws DomainError `notification_not_found` */
  async list(notificationId: string, query: DeliveryQuery): Promise<CursorPage<DeliveryEntity>> {
    await this.notifications.getOrThrow(notificationId);
    const { state, event, since, until, cursor, per_page } = query;
    const times = [...(since ? [MoreThanOrEqual(since)] : []), ...(until ? [LessThan(until)] : [])];
    const select = this.unitOfWork
      .repository(DeliveryEntity)
      .createQueryBuilder('delivery')
      .where({
        notificationId,
        ...reachableDeliveries(),
        ...(state && { state }),
        ...(event && { event }),
        ...(times.length > 0 && { createdAt: And(...times) }),
      })
      .orderBy({ 'delivery.createdAt': 'DESC', 'delivery.id': 'DESC' })
      .limit(per_page + 1);
    if (cursor)
      select.andWhere([
        { createdAt: LessThan(cursor.createdAt) },
        { createdAt: cursor.createdAt, id: LessThan(cursor.id) },
      ]);
    const found = await select.getMany();
    const deliveries = found.slice(0, per_page);
    const last = found.length > per_page ? (deliveries.at(-1) ?? cursor) : undefined;
    return new CursorPage(deliveries, per_page, last ? formatCursor(last) : null);
  }

  /** @throws DomainError `notification_not_found`, `delivery_not_found` */
  async getOrThrow(notificationId: string, id: string): Promise<DeliveryEntity> {
    await this.notifications.getOrThrow(notificationId);
    const delivery = IDENTIFIER.test(id)
      ? await this.unitOfWork
          .repository(DeliveryEntity)
          .findOneBy({ id, notificationId, ...reachableDeliveries() })
      : null;
    if (!delivery) throw deliveryNotFound();
    return delivery;
  }

  /** The latest attempts of a delivery, in chronological order. */
  async attemptsOf({ id }: DeliveryEntity): Promise<DeliveryAttemptEntity[]> {
    const latest = await this.unitOfWork.repository(DeliveryAttemptEntity).find({
      where: { deliveryId: id },
      order: { startedAt: 'DESC', id: 'DESC' },
      take: MAX_ATTEMPTS,
    });
    return latest.reverse();
  }
}
