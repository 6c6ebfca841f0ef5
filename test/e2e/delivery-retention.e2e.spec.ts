import { randomUUID } from 'node:crypto';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { DeliveryAttemptEntity } from '../../src/notifications/deliveries/delivery-attempt.entity';
import { DeliveryEntity } from '../../src/notifications/deliveries/delivery.entity';
import { TestApplication } from '../support/application';
import { describeOnDatabases, type TestDatabase } from '../support/databases';
import { TestNotification } from '../support/notifications';
import { until } from '../support/private-servers';
import { storageKey } from '../support/keys';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SETTINGS = {
  WEBHOOK_RETENTION_DAYS: '2',
  STORAGE_ENCRYPTION_KEY: storageKey(1),
};

describeOnDatabases('Retention of deliveries', (createDatabase, name) => {
  let database: TestDatabase;
  let services: TestApplication[];

  beforeEach(async () => {
    database = await createDatabase();
    services = [];
  });

  afterEach(async () => {
    await Promise.all(services.map((service) => service.close()));
    await database.drop();
  });

  const start = async (): Promise<TestApplication> => {
    const service = await TestApplication.start(database, SETTINGS);
    services.push(service);
    return service;
  };

  it('purges expired deliveries and their attempts at start, even if other instances do so concurrently', async () => {
    const first = await start();
    await TestNotification.add(first, 'http://127.0.0.1:9/hook');
    const unitOfWork = first.app.get(UnitOfWork);
    const add = async (count: number, finishedDaysAgo: number | null): Promise<void> => {
      const rows = Array.from({ length: count }, () => ({
        id: randomUUID(),
        notificationId: 'hook',
        event: 'test',
        payload: { payload_type: 'test' },
        state: finishedDaysAgo === null ? ('pending' as const) : ('dead' as const),
        attempts: 1,
        giveUpAt: new Date(),
        nextAttemptAt: finishedDaysAgo === null ? new Date(Date.now() + HOUR_MS) : null,
        lastStatus: null,
        lastFailure: 'timeout' as const,
        finishedAt: finishedDaysAgo === null ? null : new Date(Date.now() - finishedDaysAgo * DAY_MS),
        createdAt: new Date(Date.now() - 90 * DAY_MS),
      }));
      await unitOfWork.repository(DeliveryEntity).insert(rows);
      const attempt = { startedAt: new Date(), durationMs: 1, status: null, failure: null, answer: null };
      await unitOfWork
        .repository(DeliveryAttemptEntity)
        .insert(rows.map(({ id }) => ({ ...attempt, id: randomUUID(), deliveryId: id })));
    };
    await add(250, 2.1);
    await add(3, 1.9);
    await add(2, null);
    // Nobody runs two processes on one SQLite file.
    await Promise.all((name === 'SQLite' ? [1] : [1, 2]).map(() => start()));
    const left = (entity: typeof DeliveryEntity | typeof DeliveryAttemptEntity) =>
      unitOfWork.repository<DeliveryEntity | DeliveryAttemptEntity>(entity).count();
    await until('the purge', async () => (await left(DeliveryEntity)) === 5);
    expect(await left(DeliveryAttemptEntity)).toBe(5);
    expect(
      services.flatMap(({ logs }) => logs.filter((line) => line.includes('could not be purged'))),
    ).toEqual([]);
  });
});
