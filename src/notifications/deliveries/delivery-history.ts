import { Injectable } from '@nestjs/common';
import type { Repository } from 'typeorm';
import type { CursorPage } from '../../common/pagination/cursor-page';
import type { ListCursor } from '../../common/pagination/list-cursor';
import { IDENTIFIER } from '../../common/validation/fields';
import { createdWithin } from '../../database/created-within';
import { LargeRowPages } from '../../database/large-row-pages';
import { type SparsePart, SparsePages } from '../../database/sparse-pages';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationsService } from '../notifications.service';
import { DeliveryAttemptEntity } from './delivery-attempt.entity';
import { deliveryNotFound } from '../notification.errors';
import { DeliveryEntity } from './delivery.entity';
import { type ReachableDeliveries, reachableDeliveries, reachedDeliveries } from './reachable-deliveries';
import { deliveryList, type DeliveryFilter, type ReachedDeliveries, reachedRows } from './reached-deliveries';
import type { DeliveryQuery } from './dto/delivery-query.dto';

/** Latest attempts that a delivery shows; one that is replayed often has more. @limit Lists and batches */
const MAX_ATTEMPTS = 100;

/** Reads deliveries and their attempts. */
@Injectable()
export class DeliveryHistory {
  private readonly pages: LargeRowPages<DeliveryEntity>;
  private readonly reachedPages: SparsePages<DeliveryEntity>;
  private readonly oldest: LargeRowPages<DeliveryEntity>;
  private readonly oldestReached: SparsePages<DeliveryEntity>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly notifications: NotificationsService,
  ) {
    const newestFirst = deliveryList(() => this.rows, 'DESC');
    const oldestFirst = deliveryList(() => this.rows, 'ASC');
    this.pages = new LargeRowPages(newestFirst);
    this.reachedPages = new SparsePages(newestFirst);
    this.oldest = new LargeRowPages(oldestFirst);
    this.oldestReached = new SparsePages(oldestFirst);
  }

  /**
   * Deliveries of a notification, newest first; fewer than `per_page` if they are large, or if few of many are within
   * reach.
   *
   * @throws DomainError `notification_not_found`
   */
  async list(notificationId: string, query: DeliveryQuery): Promise<CursorPage<DeliveryEntity>> {
    const reached = await this.reachedOf(notificationId);
    const { state, event, since, until, cursor = null, per_page } = query;
    const filter: DeliveryFilter = {
      notificationId,
      ...(state && { state }),
      ...(event && { event }),
      ...createdWithin(since, until),
    };
    return reached
      ? this.reachedPages.after(reachedRows(filter, reached), cursor, per_page)
      : this.pages.after([filter], cursor, per_page);
  }

  /**
   * Finds the oldest of the matching deliveries that the current request may see, after a position.
   *
   * @throws DomainError `notification_not_found`
   */
  async oldestAfter(filter: DeliveryFilter, from: ListCursor | null, count: number): Promise<SparsePart> {
    const reached = await this.reachedOf(filter.notificationId);
    if (reached) return this.oldestReached.part(reachedRows(filter, reached), from, count);
    return { positions: await this.oldest.positionsAfter([{ ...filter }], from, count), end: undefined };
  }

  /** @throws DomainError `notification_not_found`, `delivery_not_found` */
  async getOrThrow(notificationId: string, id: string): Promise<DeliveryEntity> {
    const reachable = await this.reachableOf(notificationId);
    const delivery = IDENTIFIER.test(id) ? await this.rows.findOneBy({ id, ...reachable }) : null;
    if (!delivery) throw deliveryNotFound();
    return delivery;
  }

  /** The deliveries of a notification that the current request may see. @throws DomainError `notification_not_found` */
  async reachableOf(notificationId: string): Promise<ReachableDeliveries> {
    const notification = await this.notifications.getOrThrow(notificationId);
    return reachableDeliveries(this.unitOfWork, notification);
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

  private async reachedOf(notificationId: string): Promise<ReachedDeliveries | undefined> {
    return reachedDeliveries(this.unitOfWork, await this.notifications.getOrThrow(notificationId));
  }

  private get rows(): Repository<DeliveryEntity> {
    return this.unitOfWork.repository(DeliveryEntity);
  }
}
