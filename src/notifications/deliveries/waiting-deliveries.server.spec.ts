import type { DataSource } from 'typeorm';
import { callWithReach, type Reach } from '../../../test/support/call-with-reach';
import { describeOnDatabases, type TestDatabase } from '../../../test/support/databases';
import { openDataSource } from '../../../test/support/open-data-source';
import { recordStatements } from '../../../test/support/record-statements';
import { addRelayerGroups, manyRelayers } from '../../../test/support/relayer-groups';
import { mostRowsRead } from '../../../test/support/rows-read';
import type { AuditLog } from '../../audit/audit-log';
import type { OngoingAccess } from '../../access/ongoing-access';
import { UnitOfWork } from '../../database/unit-of-work';
import { NotificationEntity } from '../notification.entity';
import type { NotificationsService } from '../notifications.service';
import { DeliveryHistory } from './delivery-history';
import { DeliveryEntity } from './delivery.entity';
import { assertReachesWaiting } from './reachable-deliveries';
import { RequestedDeliveries } from './requested-deliveries';

const COUNTS = { shared: 50_000, mixed: 4_000, former: 4_000 };
type Hook = keyof typeof COUNTS;

/** A search reads 5000 deliveries, from an index and from its result, and up to 1000 relayers twice. */
const MAX_READ = 12_500;
const createdAt = new Date(0);

/**
 * Most deliveries of each notification are dead. The last ones that wait for `shared` are about `late`; those of
 * `mixed` are about two relayers by turns, and those of `former` about relayers that do not exist any more.
 */
const relayerOf = (hook: Hook, i: number): string | null => {
  if (hook === 'former') return i % 2 === 0 ? null : 'gone';
  if (hook === 'mixed') return i % 4 < 2 ? 'one' : 'two';
  return i >= COUNTS.shared - 4 ? 'late' : 'one';
};

const deliveriesOf = (hook: Hook) =>
  Array.from({ length: COUNTS[hook] }, (_, i) => ({
    id: `${hook}-${String((i * 7919) % COUNTS[hook]).padStart(5, '0')}`,
    notificationId: hook,
    relayerId: relayerOf(hook, i),
    event: relayerOf(hook, i) === null ? 'test' : 'transaction_update',
    payload: {},
    state: i % 8 === 0 ? ('delivered' as const) : i % 32 === 31 ? ('pending' as const) : ('dead' as const),
    attempts: 1,
    giveUpAt: createdAt,
    finishedAt: createdAt,
    createdAt: new Date(Math.floor(i / 3) * 1000),
  }));

describeOnDatabases('Deliveries that wait or have failed', (create, databaseName) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let history: DeliveryHistory;
  let requested: RequestedDeliveries;

  beforeAll(async () => {
    database = await create();
    dataSource = await openDataSource(database);
    const { manager } = dataSource;
    for (const id of ['shared', 'mixed', 'former'] as const) {
      await manager.insert(NotificationEntity, { id, type: 'webhook', url: 'u', createdAt });
      for (let all = deliveriesOf(id); all.length > 0;)
        await manager.insert(DeliveryEntity, all.splice(0, 500));
    }
    await addRelayerGroups(dataSource, { small: ['one', 'two'], large: manyRelayers(), other: ['late'] });
    const notifications = {
      getOrThrow: (id: string) => Promise.resolve({ id, events: ['transaction_update'] }),
    } as unknown as NotificationsService;
    const unitOfWork = new UnitOfWork(dataSource);
    history = new DeliveryHistory(unitOfWork, notifications);
    requested = new RequestedDeliveries(
      ...[unitOfWork, notifications, history, {} as never, {} as never],
      { recheck: () => undefined } as unknown as OngoingAccess,
      { record: () => Promise.resolve() } as unknown as AuditLog,
      { get: () => ({ retryForMs: 60_000 }) } as never,
    );
    if (databaseName !== 'SQLite') await dataSource.query('ANALYZE TABLE deliveries');
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /** The most rows that a statement has read; 0 on SQLite. */
  const readBy = async (work: () => Promise<unknown>): Promise<number> => {
    const statements = recordStatements(dataSource);
    await work();
    jest.restoreAllMocks();
    expect(statements.length).toBeGreaterThan(0);
    const reads = statements.filter(({ text }) => text.startsWith('SELECT'));
    return databaseName === 'SQLite' ? 0 : mostRowsRead(dataSource, reads);
  };

  const assertReaches = (hook: string, reach?: Reach): Promise<void> =>
    callWithReach(() => assertReachesWaiting(dataSource.getRepository(DeliveryEntity), hook), reach);

  it.each<[Hook, Reach]>([
    ['shared', { relayers: ['one', 'late'] }],
    ['shared', { relayers: ['late'], groups: ['small', 'large'] }],
    ['mixed', { groups: ['small'] }],
    ['former', { relayers: ['one'] }],
    ['former', {}],
  ])('of %s are reached by a key with %j, which many short statements find out', async (hook, reach) => {
    expect(await readBy(() => assertReaches(hook, reach))).toBeLessThan(MAX_READ);
  });

  it.each<[Hook, Reach]>([
    ['shared', { relayers: ['one'] }],
    ['shared', { groups: ['small', 'large'] }],
    ['mixed', { relayers: ['one'], groups: ['other'] }],
    ['mixed', {}],
  ])('of %s are not all reached by a key with %j', async (hook, reach) => {
    const read = readBy(() =>
      expect(assertReaches(hook, reach)).rejects.toThrow(expect.objectContaining({ code: 'forbidden' })),
    );
    expect(await read).toBeLessThan(MAX_READ);
  });

  it.each<[Hook, Reach | undefined]>([
    ['shared', { relayers: ['late'] }],
    ['shared', { groups: ['other', 'large'] }],
    ['mixed', { relayers: ['two', 'none'] }],
    ['mixed', undefined],
  ])('of %s are found by parts for a key with %j', async (hook, reach) => {
    const dead = { notificationId: hook, state: 'dead' as const };
    const found: string[] = [];
    const find = async () => {
      for (let from: { createdAt: Date; id: string } | null = null, isEnd = false; !isEnd;) {
        const part: Awaited<ReturnType<DeliveryHistory['oldestAfter']>> = await history.oldestAfter(
          dead,
          from,
          500,
        );
        found.push(...part.positions.map(({ id }) => id));
        from = part.end ?? (part.positions.length === 500 ? part.positions.at(-1)! : null);
        isEnd = from === null;
      }
    };
    expect(await readBy(() => callWithReach(find, reach))).toBeLessThan(MAX_READ);
    const isWanted = (relayer: string | null): boolean =>
      !reach || (hook === 'shared' ? relayer === 'late' : relayer === 'two');
    expect(found).toEqual(
      deliveriesOf(hook)
        .filter(({ state, relayerId }) => state === 'dead' && isWanted(relayerId))
        .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id),
    );
  });

  it('are replayed if the caller reaches them, and only those since a time', async () => {
    const countPending = () =>
      dataSource.manager.countBy(DeliveryEntity, { notificationId: 'mixed', state: 'pending' });
    const before = await countPending();
    const replay = () =>
      callWithReach(() => requested.replayDead('mixed', new Date(1_000_000)), { relayers: ['two'] });
    const expected = deliveriesOf('mixed').filter(
      ({ state, relayerId, createdAt: at }) =>
        state === 'dead' && relayerId === 'two' && at.getTime() >= 1_000_000,
    ).length;
    expect(await replay()).toEqual({ replayed: expected, more: false });
    expect((await countPending()) - before).toBe(expected);
    expect(await replay()).toEqual({ replayed: 0, more: false });
  });
});
