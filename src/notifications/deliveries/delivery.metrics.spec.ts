import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { createSqlite, type TestDatabase } from '../../../test/support/databases';
import { parseDatabaseUrl } from '../../config/database-url';
import { createDataSource, dataSourceOptions } from '../../database/data-source';
import { migrate } from '../../database/migrate';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import { DeliveryEntity } from './delivery.entity';
import { DeliveryMetrics } from './delivery.metrics';

describe('webhook_oldest_due_seconds', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createSqlite();
    dataSource = await createDataSource(
      dataSourceOptions(parseDatabaseUrl(database.url), [NotificationEntity, DeliveryEntity]),
    ).initialize();
    await migrate(dataSource);
    const notification = {
      id: 'hook',
      type: 'webhook' as const,
      url: 'http://hooks.test',
      createdAt: new Date(),
    };
    await dataSource.manager.insert(NotificationEntity, notification);
  });

  afterEach(async () => {
    if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  const add = (dueInSeconds: number | null) =>
    dataSource.manager.insert(DeliveryEntity, {
      id: randomUUID(),
      notificationId: 'hook',
      event: 'test',
      payload: {},
      state: dueInSeconds === null ? 'delivered' : 'pending',
      attempts: 0,
      giveUpAt: new Date(),
      nextAttemptAt: dueInSeconds === null ? null : new Date(Date.now() + dueInSeconds * 1000),
      createdAt: new Date(),
    });

  const read = async (): Promise<string> => {
    const registry = new Registry();
    new DeliveryMetrics(registry, new UnitOfWork(dataSource));
    return registry.getSingleMetricAsString('webhook_oldest_due_seconds');
  };

  it('is 0 where nothing is due', async () => {
    expect(await read()).toMatch(/^webhook_oldest_due_seconds 0$/m);
    await add(null);
    await add(60);
    expect(await read()).toMatch(/^webhook_oldest_due_seconds 0$/m);
  });

  it('is how long the oldest has waited', async () => {
    for (const dueInSeconds of [null, -10, -86_000, -30, 60]) await add(dueInSeconds);
    expect(await read()).toMatch(/^webhook_oldest_due_seconds 860\d\d(\.\d+)?$/m);
  });

  it('has no value without a database', async () => {
    await dataSource.destroy();
    expect(await read()).not.toMatch(/^webhook_oldest_due_seconds/m);
  });
});
