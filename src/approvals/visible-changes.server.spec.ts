import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { describeOnDatabases, type TestDatabase } from '../../test/support/databases';
import { openDataSource } from '../../test/support/open-data-source';
import { recordStatements } from '../../test/support/record-statements';
import { mostRowsRead } from '../../test/support/rows-read';
import { ROOT, type Principal } from '../access/principal';
import { CursorPage } from '../common/pagination/cursor-page';
import { parseCursor } from '../common/pagination/list-cursor';
import { Page } from '../common/pagination/page';
import { Secret } from '../common/secrets/secret';
import { ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { RowMacs } from '../secrets/row-macs';
import { ChangeQueries } from './change-queries';
import type { ChangeRows } from './change-rows';
import { CHANGE_PROTECTION, ChangeEntity, type ChangeStatus } from './change.entity';
import type { ChangeListQuery } from './dto/change-list.query';

const COUNT = 30_000;
/** A search reads 5000 changes: from an index, from its result, and again if it has to sort them. */
const MAX_READ = 15_500;
const FUTURE = Date.now() + 86_400_000;
const ENDS = ['applied', 'rejected', 'failed'] as const;

/** Every 500th change is about `rare`, every 700th about no relayer. Some have the same time, and a few are pending. */
const CHANGES = Array.from({ length: COUNT }, (_, i) => {
  const isPending = i % 200 === 7;
  const relayerId = i % 700 === 3 ? null : i % 500 === 7 ? 'rare' : `busy${i % 2}`;
  return {
    id: `c-${String((i * 7919) % COUNT).padStart(5, '0')}`,
    kinds: ['transaction' as const],
    ...{ operation: 'o', request: {}, secrets: null, base: 'b' },
    relayerId,
    relayerGroup: relayerId === null ? null : i % 900 === 7 ? 'small' : i % 3 === 0 ? 'large' : null,
    ...{ requestedBy: 'root', needed: 1, approvals: [], idempotencyKey: null, requestDigest: null },
    status: isPending ? ('pending' as const) : i % 100 === 9 ? ('expired' as const) : ENDS[i % 3]!,
    ...{ code: null, finishedAt: null, finishedBy: null },
    expiresAt: new Date(i % 400 === 7 ? FUTURE : 0),
    createdAt: new Date(Math.floor(i / 3) * 1000),
  };
});

type Change = (typeof CHANGES)[number];
type Visible = (change: Change) => boolean;

const reachOf = (relayers: string[], groups: string[] = []): Principal => ({
  ...ROOT,
  ...{ id: 'key', kind: 'api_key' },
  reach: { relayers: new Set(relayers), groups: new Set(groups) },
});
const queryOf = (query: Partial<ChangeListQuery>): ChangeListQuery => ({ page: 1, per_page: 20, ...query });
const hasStatus = ({ status, expiresAt }: Change, wanted: ChangeStatus | undefined): boolean =>
  wanted === undefined || (status === 'pending' && expiresAt.getTime() === 0 ? 'expired' : status) === wanted;

const KEYS: [string, Principal, Visible][] = [
  ['some relayers with few changes', reachOf(['rare', 'none']), ({ relayerId }) => relayerId === 'rare'],
  ['a group with few changes', reachOf([], ['small']), ({ relayerGroup }) => relayerGroup === 'small'],
  [
    'a relayer and a group of it',
    reachOf(['rare', 'none'], ['small', 'other']),
    ({ relayerId, relayerGroup }) => relayerId === 'rare' || relayerGroup === 'small',
  ],
  ['many changes', reachOf(['busy1', 'none']), ({ relayerId }) => relayerId === 'busy1'],
  [
    'a relayer and a group with many changes',
    reachOf(['busy0', 'rare'], ['large']),
    ({ relayerId, relayerGroup }) =>
      relayerId === 'busy0' || relayerId === 'rare' || relayerGroup === 'large',
  ],
  ['no relayers', reachOf([]), () => false],
  ['no limits', { ...ROOT }, () => true],
];
const STATUSES: (ChangeStatus | undefined)[] = [undefined, 'pending', 'expired', 'rejected'];

describeOnDatabases('The list of changes', (create, databaseName) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let queries: ChangeQueries;
  let insert: (changes: Change[]) => Promise<unknown>;
  let rowsOf: () => ChangeRows;

  beforeAll(async () => {
    database = await create();
    dataSource = await openDataSource(database);
    const unitOfWork = new UnitOfWork(dataSource);
    const macs = new RowMacs([new Secret(Buffer.alloc(32, 1).toString('base64'))], [CHANGE_PROTECTION]);
    const rows = new ProtectedRows(unitOfWork, new RowIntegrity(macs, new Registry()), ChangeEntity);
    insert = (changes) => unitOfWork.run(() => rows.insertAll(changes));
    rowsOf = () =>
      ({
        repository: unitOfWork.repository(ChangeEntity),
        findAll: (query) => rows.find(query),
      }) as ChangeRows;
    await insert(CHANGES);
    queries = new ChangeQueries(rowsOf());
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const expected = (isVisible: Visible, status: ChangeStatus | undefined): string[] =>
    CHANGES.filter((change) => isVisible(change) && hasStatus(change, status))
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);

  const after = async (
    principal: Principal,
    query: Partial<ChangeListQuery>,
    cursor: string | null,
  ): Promise<CursorPage<ChangeEntity>> => {
    const from = cursor === null ? null : parseCursor(cursor);
    return (await queries.list(queryOf({ ...query, cursor: from }), principal)) as CursorPage<ChangeEntity>;
  };

  describe.each(KEYS)('for a key with %s', (_name, principal, isVisible) => {
    it.each(STATUSES)('is complete by cursor and by page, with status %s', async (status) => {
      const ids = expected(isVisible, status);
      const filter = status && { status };
      const listed: string[] = [];
      for (let cursor: string | null = null, isEnd = false; !isEnd;) {
        const page: CursorPage<ChangeEntity> = await after(principal, { ...filter, per_page: 999 }, cursor);
        listed.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        isEnd = cursor === null;
      }
      expect(listed).toEqual(ids);
      for (const page of [1, 2, 40]) {
        const shown = await queries.list(queryOf({ ...filter, page, per_page: 7 }), principal);
        expect(shown).toBeInstanceOf(Page);
        expect((shown as Page<ChangeEntity>).total).toBe(ids.length);
        expect(shown.items.map(({ id }) => id)).toEqual(ids.slice((page - 1) * 7, page * 7));
      }
    });
  });

  it.each(KEYS.filter(([name]) => name !== 'no relayers'))(
    'shows no change twice if one is deleted while a page is read, for a key with %s',
    async (_name, principal, isVisible) => {
      const ids = expected(isVisible, undefined);
      const [cursorId, deleted] = [ids[3]!, ids[4]!];
      const { createdAt } = CHANGES.find(({ id }) => id === cursorId)!;
      const from = Buffer.from(`${createdAt.getTime()}:${cursorId}`).toString('base64url');
      const { repository, findAll } = rowsOf();
      const racing = new ChangeQueries({
        repository,
        findAll: async (query) => {
          await repository.delete({ id: deleted });
          return findAll(query);
        },
      } as ChangeRows);
      try {
        const query = queryOf({ per_page: 20, cursor: parseCursor(from) });
        const page = (await racing.list(query, principal)) as CursorPage<ChangeEntity>;
        const next = await after(principal, { per_page: 20 }, page.nextCursor);
        const shown = [...page.items, ...next.items].map(({ id }) => id);
        expect(shown).toEqual(ids.slice(5, 4 + 40));
      } finally {
        await insert([CHANGES.find(({ id }) => id === deleted)!]);
      }
    },
  );

  it('has the total and no items with per_page=0', async () => {
    const [, principal] = KEYS[0]!;
    const page = await queries.list(queryOf({ per_page: 0 }), principal);
    expect(page).toMatchObject({ items: [], total: 60 });
    expect(await after(principal, { per_page: 0 }, null)).toMatchObject({ items: [], nextCursor: null });
  });

  if (databaseName === 'SQLite') return;

  const readBy = async (work: () => Promise<unknown>): Promise<number> => {
    const statements = recordStatements(dataSource);
    await work();
    jest.restoreAllMocks();
    expect(statements.length).toBeGreaterThan(0);
    return mostRowsRead(dataSource, statements);
  };

  describe.each(KEYS)('for a key with %s', (_name, principal) => {
    it.each(STATUSES)('reads a bounded number of rows by cursor, with status %s', async (status) => {
      await dataSource.query('ANALYZE TABLE change_requests');
      const filter = status && { status };
      const late = Buffer.from(`${CHANGES[12_000]!.createdAt.getTime()}:c-00000`).toString('base64url');
      for (const cursor of [null, late])
        expect(await readBy(() => after(principal, { ...filter }, cursor))).toBeLessThan(MAX_READ);
    });
  });

  it.each(KEYS.slice(0, 3))(
    'reads only what is visible by page number, for a key with %s',
    async (_name, principal) => {
      await dataSource.query('ANALYZE TABLE change_requests');
      for (const status of STATUSES)
        expect(
          await readBy(() => queries.list(queryOf({ ...(status && { status }), page: 2 }), principal)),
        ).toBeLessThan(1000);
    },
  );
});
