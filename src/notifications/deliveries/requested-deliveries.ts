import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, LessThan, MoreThanOrEqual } from 'typeorm';
import { AuditLog } from '../../audit/audit-log';
import { OngoingAccess } from '../../access/ongoing-access';
import type { ListCursor } from '../../common/pagination/list-cursor';
import { IDENTIFIER } from '../../common/validation/fields';
import type { AppConfig } from '../../config/app-config';
import type { SparsePart } from '../../database/sparse-pages';
import { UnitOfWork } from '../../database/unit-of-work';
import { deadReplayed, deliveryReplayed, notificationTested } from '../notification-audit';
import { notificationNotFound } from '../notification.errors';
import { NotificationEvents } from '../events/notification-events';
import { NotificationsService } from '../notifications.service';
import { DeliveryEntity } from './delivery.entity';
import { DeliveryHistory } from './delivery-history';
import { DeliveryWorker } from './delivery-worker';
import { dueAfresh } from './due-afresh';
import { assertReceiverReachable } from './reachable-receiver';

const BATCH = 500;
/** Dead deliveries that one request replays; `more` in the response means that there are others. @limit Lists and batches */
const MAX_REPLAYED = 10_000;

/** Deliveries that clients request. While their receiver is switched off, they are attempted only once. */
@Injectable()
export class RequestedDeliveries {
  private readonly retryForMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly notifications: NotificationsService,
    private readonly history: DeliveryHistory,
    private readonly events: NotificationEvents,
    private readonly worker: DeliveryWorker,
    private readonly access: OngoingAccess,
    private readonly audit: AuditLog,
    config: ConfigService<AppConfig, true>,
  ) {
    this.retryForMs = config.get('webhooks', { infer: true }).retryForMs;
  }

  /**
   * Records a test event, to show that events arrive.
   *
   * @throws DomainError `notification_not_found`, `row_altered`, `unauthorized`, `forbidden`
   */
  test(notificationId: string): Promise<DeliveryEntity> {
    return this.unitOfWork.run(async () => {
      await this.access.recheck('notifications:write');
      // Otherwise an altered row would remain unnoticed until the attempt.
      const notification = await this.notifications.getOrThrow(notificationId);
      await assertReceiverReachable(this.unitOfWork.manager, notification);
      const [id] = await this.events.record(notificationId, 'test', [{ payload_type: 'test' }]);
      if (id === undefined) throw notificationNotFound();
      await this.audit.record(notificationTested(notificationId, id));
      return this.history.getOrThrow(notificationId, id);
    });
  }

  /**
   * Makes a delivery due now, whatever its state, with a new retry period.
   *
   * @throws DomainError `notification_not_found`, `delivery_not_found`, `unauthorized`, `forbidden`
   */
  async replay(notificationId: string, id: string): Promise<DeliveryEntity> {
    return this.unitOfWork.run(async () => {
      await this.access.recheck('notifications:write');
      const reachable = await this.history.reachableOf(notificationId);
      if (IDENTIFIER.test(id)) await this.deliveries.update({ id, ...reachable }, dueAfresh(this.retryForMs));
      const delivery = await this.history.getOrThrow(notificationId, id);
      await this.audit.record(deliveryReplayed(notificationId, id, delivery.relayerId));
      this.unitOfWork.afterCommit(() => this.worker.wake());
      return delivery;
    });
  }

  /**
   * Makes dead deliveries of a notification due now: the oldest first, and at most 10 000.
   *
   * @param since the earliest creation time
   * @returns how many were replayed, and whether there are more
   * @throws DomainError `notification_not_found`; `unauthorized`, `forbidden` if the caller loses its rights meanwhile
   */
  async replayDead(notificationId: string, since: Date): Promise<{ replayed: number; more: boolean }> {
    const dead = {
      notificationId,
      state: 'dead' as const,
      createdAt: MoreThanOrEqual(since),
      // A delivery that fails again in the meantime is not replayed twice.
      finishedAt: LessThan(new Date()),
    };
    let from: ListCursor | null = null;
    for (let replayed = 0; ;) {
      // With thousands of deliveries, the caller may have lost the scope, or some relayers, meanwhile.
      await this.access.recheck('notifications:write');
      const { positions, end }: SparsePart = await this.history.oldestAfter(dead, from, BATCH);
      if (positions.length > 0) {
        if (replayed >= MAX_REPLAYED) return { replayed, more: true };
        const id = In(positions.map((delivery) => delivery.id));
        // The next sweep finds them.
        replayed += await this.unitOfWork.run(async () => {
          await this.access.recheck('notifications:write');
          const found = { ...dead, ...(await this.history.reachableOf(notificationId)), id };
          const { affected } = await this.deliveries.update(found, dueAfresh(this.retryForMs));
          if (affected) await this.audit.record(deadReplayed(notificationId, since, affected));
          return affected ?? 0;
        });
      }
      from = positions.length < BATCH ? (end ?? null) : (positions.at(-1) ?? null);
      if (!from) return { replayed, more: false };
      await turn();
    }
  }

  private get deliveries() {
    return this.unitOfWork.repository(DeliveryEntity);
  }
}
