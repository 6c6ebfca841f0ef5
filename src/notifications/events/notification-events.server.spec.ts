import { randomBytes } from 'node:crypto';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { describeOnDatabases, type TestDatabase } from '../../../test/support/databases';
import { openDataSource } from '../../../test/support/open-data-source';
import { recordStatements, type Statement } from '../../../test/support/record-statements';
import { mostRowsRead } from '../../../test/support/rows-read';
import { Secret } from '../../common/secrets/secret';
import { ProtectedRows } from '../../database/integrity/protected-rows';
import { RowIntegrity } from '../../database/integrity/row-integrity';
import { UnitOfWork } from '../../database/unit-of-work';
import { RowMacs } from '../../secrets/row-macs';
import { DeliveryEntity } from '../deliveries/delivery.entity';
import { DeliveryMetrics } from '../deliveries/delivery.metrics';
import type { DeliveryWorker } from '../deliveries/delivery-worker';
import { NOTIFICATION_PROTECTION, NotificationEntity } from '../notification.entity';
import type { NotificationEvent } from './notification-event';
import { NotificationEvents } from './notification-events';

const KEY = new Secret(randomBytes(32).toString('base64'));
const EVENT = 'change_update';
const wake = jest.fn();

describeOnDatabases('The record of events', (create, databaseName) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let rows: ProtectedRows<NotificationEntity>;
  let registry: Registry;
  let events: NotificationEvents;

  beforeAll(async () => {
    database = await create();
    dataSource = await openDataSource(database);
    unitOfWork = new UnitOfWork(dataSource);
    registry = new Registry();
    const integrity = new RowIntegrity(new RowMacs([KEY], [NOTIFICATION_PROTECTION]), registry);
    rows = new ProtectedRows(unitOfWork, integrity, NotificationEntity);
    events = new NotificationEvents(
      unitOfWork,
      { wake } as unknown as DeliveryWorker,
      new DeliveryMetrics(registry, unitOfWork),
      integrity,
      { get: () => ({ retryForMs: 60_000 }) } as never,
    );
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    wake.mockClear();
    for (const table of ['deliveries', 'notifications']) await dataSource.query(`DELETE FROM ${table}`);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const add = (prefix: string, count: number, listed: NotificationEvent[], more: object = {}) => {
    const each = Array.from({ length: count }, (_, i) => ({
      id: `${prefix}-${String(i).padStart(3, '0')}`,
      type: 'webhook' as const,
      url: 'u',
      signingKey: null,
      events: listed,
      isSubscriber: listed.includes(EVENT),
      previousSigningKey: null,
      previousKeyUntil: null,
      failingSince: null,
      lastFailedAt: null,
      switchedOffAt: null,
      deletedAt: null,
      formerHost: null,
      createdAt: new Date(),
      ...more,
    }));
    return unitOfWork.run(() => rows.insertAll(each));
  };

  const recordForSubscribers = (payload: object = {}): Promise<void> =>
    unitOfWork.run(() => events.recordForSubscribers(EVENT, { payload_type: 'change', ...payload }));

  const receivers = async (): Promise<string[]> => {
    const found = await dataSource.getRepository(DeliveryEntity).find({ order: { notificationId: 'ASC' } });
    return found.map(({ notificationId, state }) => `${notificationId} ${state}`);
  };

  const kindsOf = (statements: readonly Statement[]): string[] =>
    statements.map(({ text }) => text.split(' ', 1)[0] ?? '').filter((kind) => /SELECT|INSERT/.test(kind));

  it('does not read notifications without such events', async () => {
    await add('other', 1000, ['relayer_update']);
    await add('former', 3, [EVENT], { deletedAt: new Date() });
    await add('hook', 2, [EVENT]);
    if (databaseName !== 'SQLite') await dataSource.query('ANALYZE TABLE notifications');
    const statements = recordStatements(dataSource);
    await recordForSubscribers();
    jest.restoreAllMocks();
    expect(await receivers()).toEqual(['hook-000 pending', 'hook-001 pending']);
    const reads = statements.filter(({ text }) => text.startsWith('SELECT'));
    if (databaseName !== 'SQLite') expect(await mostRowsRead(dataSource, reads)).toBeLessThan(10);
  });

  it('reads all subscribers with one statement, and stores a hundred deliveries with each', async () => {
    await add('hook', 250, ['relayer_update', EVENT]);
    const statements = recordStatements(dataSource);
    await recordForSubscribers();
    expect(kindsOf(statements)).toEqual(['SELECT', 'INSERT', 'INSERT', 'INSERT']);
    expect(await receivers()).toHaveLength(250);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('leaves out subscribers that do not name the event', async () => {
    await add('hook', 1, [EVENT]);
    await add('others', 1, ['signer_deleted'], { isSubscriber: true });
    await recordForSubscribers();
    expect(await receivers()).toEqual(['hook-000 pending']);
  });

  it('stores the event for a subscriber whose row was altered, for which it waits', async () => {
    await add('altered', 1, [EVENT]);
    await dataSource.query("UPDATE notifications SET events = '[]' WHERE id = 'altered-000'");
    await recordForSubscribers();
    expect(await receivers()).toEqual(['altered-000 pending']);
  });

  it('stores signatures for a notification whose row was altered, because it may have named them', async () => {
    await add('altered', 1, ['signature_created']);
    await add('intact', 1, ['relayer_update']);
    await dataSource.query("UPDATE notifications SET url = 'evil' WHERE id = 'altered-000'");
    for (const id of ['altered-000', 'intact-000'])
      await unitOfWork.run(() => events.record(id, 'signature_created', [{ payload_type: 'signature' }]));
    expect(await receivers()).toEqual(['altered-000 pending']);
  });

  it('records the event as dead for a subscriber that is switched off', async () => {
    await add('hook', 1, [EVENT]);
    await add('off', 1, [EVENT], { switchedOffAt: new Date() });
    await recordForSubscribers();
    expect(await receivers()).toEqual(['hook-000 pending', 'off-000 dead']);
    const ended = await registry.getSingleMetric('webhook_deliveries_total')?.get();
    expect(ended?.values).toContainEqual({ labels: { event: EVENT, outcome: 'dead' }, value: 1 });
  });

  it.each([3, 1])('leaves out one of %d subscribers that is deleted after they were read', async (count) => {
    await add('hook', count, [EVENT]);
    const findIntact = rows.findIntact.bind(rows);
    jest.spyOn(ProtectedRows.prototype, 'findIntact').mockImplementationOnce(async (query) => {
      const found = await findIntact(query);
      await unitOfWork.manager.query("DELETE FROM notifications WHERE id = 'hook-000'");
      return found;
    });
    await recordForSubscribers();
    expect(await receivers()).toEqual(['hook-001 pending', 'hook-002 pending'].slice(0, count - 1));
  });

  const LARGE = { text: 'x'.repeat(300_000) };

  it('stores large payloads with several statements, because servers limit their size', async () => {
    await add('hook', 100, [EVENT]);
    await recordForSubscribers(LARGE);
    const payloads = Array.from({ length: 100 }, () => ({ payload_type: 'transaction', ...LARGE }));
    await add('single', 1, ['transaction_update']);
    await unitOfWork.run(() => events.record('single-000', 'transaction_update', payloads));
    expect(await dataSource.getRepository(DeliveryEntity).count()).toBe(200);
  });
});
