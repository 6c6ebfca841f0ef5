import { randomUUID } from 'node:crypto';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryAttemptEntity } from '../../src/notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { NotificationEntity } from '../../src/notifications/notification.entity';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { storageKey } from '../support/keys';
import { TestNotification } from '../support/notifications';
import { until } from '../support/private-servers';

const SETTINGS = { STORAGE_ENCRYPTION_KEY: storageKey(1) };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeOnDatabases('Deletion of a notification', (createDatabase) => {
  let database: TestDatabase;
  let service: TestApplication;
  let hook: TestNotification;

  beforeEach(async () => {
    database = await createDatabase();
    service = await TestApplication.start(database, SETTINGS);
    hook = await TestNotification.add(service, 'http://127.0.0.1:9/hook');
  });

  afterEach(async () => {
    await service.close();
    await database.drop();
  });

  const repository = <T extends object>(entity: new () => T) =>
    service.app.get(UnitOfWork).repository<T>(entity);

  /** Adds pending deliveries, each with 10 attempts. */
  const addDeliveries = async (count: number): Promise<void> => {
    for (let added = 0; added < count; added += 100) {
      const rows = Array.from({ length: 100 }, () => ({
        id: randomUUID(),
        notificationId: 'hook',
        event: 'test',
        payload: { payload_type: 'test' },
        state: 'pending' as const,
        attempts: 10,
        giveUpAt: new Date(Date.now() + DAY_MS),
        nextAttemptAt: new Date(Date.now() + HOUR_MS),
        createdAt: new Date(),
      }));
      await repository(DeliveryEntity).insert(rows);
      const attempt = { startedAt: new Date(), durationMs: 1, status: null, failure: null, answer: null };
      const attempts = rows.flatMap(({ id }) =>
        Array.from({ length: 10 }, () => ({ ...attempt, id: randomUUID(), deliveryId: id })),
      );
      await repository(DeliveryAttemptEntity).insert(attempts);
    }
  };

  /** What an instance that was killed while it deleted the notification leaves. */
  const beginDeletion = () =>
    repository(NotificationEntity).update({ id: 'hook' }, { deletedAt: new Date() });

  it('lets the process do other work while a backlog is deleted', async () => {
    await addDeliveries(4000);
    let longest = 0;
    let last = performance.now();
    const ticks = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    const response = await hook.delete();
    clearInterval(ticks);
    expect(response.status).toBe(200);
    expect(longest).toBeLessThan(300);
    // The former receiver gets an event, with attempts of its own.
    const ofHook = { delivery: { notificationId: 'hook' } };
    expect(await repository(DeliveryAttemptEntity).countBy(ofHook)).toBe(0);
    expect((await hook.get()).status).toBe(404);
  });

  it('looks complete as soon as it has begun, and can be repeated', async () => {
    await addDeliveries(100);
    await beginDeletion();
    expect((await hook.get()).status).toBe(404);
    expect((await hook.get('/deliveries')).status).toBe(404);
    expect((await hook.patch({ url: 'https://one.example.com' })).status).toBe(404);
    expect((await hook.post('/test')).status).toBe(404);
    const { data, pagination } = (await service.get('/api/v1/notifications')).body;
    expect([data, pagination]).toEqual([[], { current_page: 1, per_page: 10, total_items: 0 }]);
    const { id, signerId } = await addRelayer(service);
    await addRelayer(service, { network: 'other' });
    const body = { name: 'x', network: 'other', network_type: 'evm', paused: false };
    const created = await service.post('/api/v1/relayers', {
      ...{ ...body, signer_id: signerId, notification_id: 'hook' },
    });
    expect([created.status, created.body.error]).toEqual([404, 'Notification not found']);
    const linked = await service.patch(`/api/v1/relayers/${id}`, { notification_id: 'hook' });
    expect([linked.status, linked.body.error]).toEqual([404, 'Notification not found']);
    expect((await hook.delete()).status).toBe(200);
    expect((await hook.delete()).status).toBe(404);
    await TestNotification.add(service, 'http://127.0.0.1:9/hook');
    expect((await hook.get('/deliveries')).body.data).toEqual([]);
  });

  it('is finished after a restart', async () => {
    await addDeliveries(200);
    await beginDeletion();
    const other = await TestApplication.start(database, SETTINGS);
    await until('the purge', async () => !(await repository(NotificationEntity).existsBy({ id: 'hook' })));
    await other.close();
    expect(await repository(DeliveryEntity).count()).toBe(0);
  });

  it('does not lose anything if a relayer uses the notification', async () => {
    await addRelayer(service, { notificationId: 'hook' });
    await addDeliveries(100);
    expect((await hook.delete()).status).toBe(409);
    expect((await hook.get()).status).toBe(200);
    expect(await repository(DeliveryEntity).count()).toBe(100);
  });
});
