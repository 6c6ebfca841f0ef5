import type { DataSource } from 'typeorm';
import { callWithReach, type Reach } from '../../../test/support/call-with-reach';
import { describeOnDatabases, type TestDatabase } from '../../../test/support/databases';
import { openDataSource } from '../../../test/support/open-data-source';
import { recordStatements } from '../../../test/support/record-statements';
import { addRelayerGroups, manyRelayers } from '../../../test/support/relayer-groups';
import { mostRowsRead } from '../../../test/support/rows-read';
import type { CursorPage } from '../../common/pagination/cursor-page';
import { parseCursor } from '../../common/pagination/list-cursor';
import { UnitOfWork } from '../../database/unit-of-work';
import type { NotificationsService } from '../notifications.service';
import { NotificationEntity } from '../notification.entity';
import { DeliveryHistory } from './delivery-history';
import { DeliveryEntity } from './delivery.entity';
import type { DeliveryQuery } from './dto/delivery-query.dto';

const COUNT = 14_000;
const createdAt = new Date(0);
/**
 * Every 100th delivery is about no relayer, every 500th about `rare`, the others about `busy`. Some have the same time.
 */
const DELIVERIES = Array.from({ length: COUNT }, (_, i) => ({
  id: `d-${String((i * 7919) % COUNT).padStart(5, '0')}`,
  notificationId: 'hook',
  relayerId: i % 100 === 3 ? null : i % 500 === 7 ? 'rare' : 'busy',
  event: i % 200 === 3 ? 'test' : i % 200 === 103 ? 'notification_update' : 'transaction_update',
  payload: {},
  state: i % 1000 === 7 ? ('dead' as const) : ('delivered' as const),
  attempts: 1,
  giveUpAt: createdAt,
  createdAt: new Date(Math.floor(i / 3) * 1000),
}));

type Delivery = (typeof DELIVERIES)[number];

describeOnDatabases('Deliveries that a limited API key reaches', (create, databaseName) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let history: DeliveryHistory;

  beforeAll(async () => {
    database = await create();
    dataSource = await openDataSource(database);
    const { manager } = dataSource;
    await manager.insert(NotificationEntity, { id: 'hook', type: 'webhook', url: 'u', createdAt });
    for (let start = 0; start < COUNT; start += 500)
      await manager.insert(DeliveryEntity, DELIVERIES.slice(start, start + 500));
    await addRelayerGroups(dataSource, { small: ['rare'], large: ['busy', ...manyRelayers()] });
    const notifications = {
      getOrThrow: () => Promise.resolve({ id: 'hook', events: ['transaction_update'] }),
    };
    history = new DeliveryHistory(
      new UnitOfWork(dataSource),
      notifications as unknown as NotificationsService,
    );
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const newestFirst = (matches: (delivery: Delivery) => boolean): string[] =>
    DELIVERIES.filter(matches)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);

  const isTest = ({ event }: Delivery): boolean => event === 'test';

  it.each<[Partial<DeliveryQuery>, Reach, (delivery: Delivery) => boolean]>([
    [{}, { relayers: ['rare'] }, (one) => one.relayerId === 'rare' || isTest(one)],
    [{}, { relayers: ['none'], groups: ['small'] }, (one) => one.relayerId === 'rare' || isTest(one)],
    [{ state: 'dead' }, { relayers: ['rare', 'none'] }, ({ state }) => state === 'dead'],
    [{ event: 'test' }, { relayers: ['rare'] }, isTest],
    [{ event: 'notification_update' }, { relayers: ['rare'] }, () => false],
    [{ event: 'transaction_update' }, { groups: ['small'] }, ({ relayerId }) => relayerId === 'rare'],
    [{}, { relayers: ['busy', 'none'] }, (one) => one.relayerId === 'busy' || isTest(one)],
    [{}, { groups: ['large'] }, (one) => one.relayerId === 'busy' || isTest(one)],
    [{ state: 'dead' }, { groups: ['large'] }, () => false],
    [{ state: 'dead' }, { relayers: ['rare'], groups: ['large'] }, ({ state }) => state === 'dead'],
    [{}, {}, isTest],
    [
      { since: new Date(1_000_000), until: new Date(3_000_000) },
      { relayers: ['rare'] },
      (one) => +one.createdAt >= 1e6 && +one.createdAt < 3e6 && (one.relayerId === 'rare' || isTest(one)),
    ],
    [
      { since: new Date(1_000_000), until: new Date(3_000_000), event: 'transaction_update' },
      { groups: ['large'] },
      (one) => +one.createdAt >= 1e6 && +one.createdAt < 3e6 && one.relayerId === 'busy',
    ],
  ])('are listed completely with %j by a key with %j', async (filter, reach, matches) => {
    for (const per_page of [7, 999]) {
      const expected = newestFirst(matches);
      const listed: string[] = [];
      let pages = 0;
      for (let cursor: string | null = ''; cursor !== null && pages < 30; pages += 1) {
        const query: DeliveryQuery = {
          ...filter,
          per_page,
          ...(cursor !== '' && { cursor: parseCursor(cursor) }),
        };
        const page: CursorPage<DeliveryEntity> = await callWithReach(
          () => history.list('hook', query),
          reach,
        );
        listed.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(listed).toEqual(pages < 30 ? expected : expected.slice(0, listed.length));
    }
  });

  it('are on one page if they are few', async () => {
    const page = await callWithReach(() => history.list('hook', { per_page: 1000 }), { groups: ['small'] });
    expect(page.nextCursor).toBeNull();
    expect(page.items).toHaveLength(98);
  });

  if (databaseName === 'SQLite') return;

  it.each<[Partial<DeliveryQuery>, Reach]>([
    [{}, { groups: ['small'] }],
    [{}, { relayers: ['rare', 'none'] }],
    [{ state: 'delivered' }, { relayers: ['none', 'other', 'rare'] }],
  ])('are found without reading those of others with %j by a key with %j', async (filter, reach) => {
    await dataSource.query('ANALYZE TABLE deliveries');
    const statements = recordStatements(dataSource);
    await callWithReach(() => history.list('hook', { ...filter, per_page: 20 }), reach);
    jest.restoreAllMocks();
    const ofDeliveries = statements.filter(({ text }) => text.includes('`deliveries`'));
    expect(ofDeliveries.length).toBeGreaterThan(2);
    for (const { text, values } of ofDeliveries) {
      const plan = await dataSource.query<{ rows: string | number }[]>(
        `EXPLAIN FORMAT=TRADITIONAL ${text}`,
        values,
      );
      expect(plan.reduce((sum, { rows }) => sum + Number(rows), 0)).toBeLessThan(1000);
    }
  });

  it.each<[Partial<DeliveryQuery>]>([[{}], [{ state: 'delivered' }]])(
    'are found at the beginning and in the middle of the list without reading others, with %j',
    async (filter) => {
      await dataSource.query('ANALYZE TABLE deliveries');
      for (const from of [{}, { cursor: { createdAt: new Date(2_500_000), id: 'd' } }]) {
        const statements = recordStatements(dataSource);
        await callWithReach(() => history.list('hook', { ...filter, ...from, per_page: 20 }));
        jest.restoreAllMocks();
        expect(await mostRowsRead(dataSource, statements)).toBeLessThan(300);
      }
    },
  );
});
