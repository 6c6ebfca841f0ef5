import type { DataSource } from 'typeorm';
import { callWithReach, type Reach } from '../../../test/support/call-with-reach';
import { describeOnDatabases, type TestDatabase } from '../../../test/support/databases';
import { ongoingAccess } from '../../../test/support/ongoing-access';
import { openDataSource } from '../../../test/support/open-data-source';
import { recordStatements } from '../../../test/support/record-statements';
import { addRelayerGroups, manyRelayers } from '../../../test/support/relayer-groups';
import type { CursorPage } from '../../common/pagination/cursor-page';
import { UnitOfWork } from '../../database/unit-of-work';
import { AuditEventEntity } from '../audit-event.entity';
import { type AuditCursor, parseAuditCursor } from './audit-cursor';
import type { AuditEventFilter, AuditEventQuery } from './audit-event.query';
import { AuditEventsService } from './audit-events.service';

const COUNT = 12_000;
const RARE = [2502, 9100];

/** Relayer `a` is used by key `x`, relayer `b` by key `y`. Some events have the same time. */
const EVENTS = Array.from({ length: COUNT }, (_, i) => ({
  ...{ chain: 1 + (i % 2), sequence: i + 1, at: new Date(Math.floor(i / 5)), hash: '' },
  relayerId: i % 4 < 2 ? 'a' : 'b',
  keyId: i % 4 < 2 ? 'x' : 'y',
  action: RARE.includes(i) ? 'relayer.update' : 'signature.create',
  outcome: 'success' as const,
}));

const pageOf = (filter: object, per_page: number, cursor: AuditCursor | null = null): AuditEventQuery => ({
  ...filter,
  per_page,
  cursor,
});

describeOnDatabases('Audit events that match several filters', (create, databaseName) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let events: AuditEventsService;

  beforeAll(async () => {
    database = await create();
    dataSource = await openDataSource(database);
    for (let start = 0; start < COUNT; start += 500)
      await dataSource.manager.insert(AuditEventEntity, EVENTS.slice(start, start + 500));
    await addRelayerGroups(dataSource, { small: ['b'], large: ['a', ...manyRelayers()] });
    events = new AuditEventsService(new UnitOfWork(dataSource), ongoingAccess());
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const recorded = () => recordStatements(dataSource);

  const listed = async (
    filter: AuditEventFilter,
    perPage: number,
    reach?: Reach,
  ): Promise<{ sizes: number[]; sequences: number[] }> => {
    const [sizes, sequences]: [number[], number[]] = [[], []];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: AuditCursor | null = cursor === '' ? null : parseAuditCursor(cursor);
      const query = pageOf(filter, perPage, from);
      const page: CursorPage<AuditEventEntity> = await callWithReach(() => events.list(query), reach);
      sizes.push(page.items.length);
      sequences.push(...page.items.map(({ sequence }) => sequence));
      cursor = page.nextCursor;
    }
    return { sizes, sequences };
  };

  /** The sequence numbers in the order of the list. */
  const newestFirst = (matches: (event: (typeof EVENTS)[number]) => boolean): number[] =>
    EVENTS.filter(matches)
      .sort((a, b) => b.at.getTime() - a.at.getTime() || b.chain - a.chain || b.sequence - a.sequence)
      .map(({ sequence }) => sequence);

  it('are all on one page if one of the filters matches few events', async () => {
    const found = await listed({ relayerId: 'b', action: 'relayer.update' }, 10);
    expect(found).toEqual({ sizes: [1], sequences: [2503] });
  });

  it.each<AuditEventFilter>([
    { relayerId: 'b ' },
    { keyId: 'y  ' },
    { action: 'relayer.update ' },
    { relayerId: 'b', action: 'relayer.update ' },
  ])('are none for %j, with a blank at the end', async (filter) => {
    expect(await listed(filter, 10)).toEqual({ sizes: [0], sequences: [] });
  });

  it('are searched in parts if all filters match many', async () => {
    expect(await listed({ relayerId: 'a', keyId: 'y' }, 10)).toEqual({ sizes: [0, 0], sequences: [] });
    expect((await listed({ keyId: 'y' }, 1000, { relayers: ['a'] })).sizes).toEqual([0, 0]);
    expect((await listed({ keyId: 'y' }, 1000, { groups: ['large'] })).sizes).toEqual([0, 0]);
  });

  it.each<[AuditEventFilter, Reach | undefined, (event: (typeof EVENTS)[number]) => boolean]>([
    [{ relayerId: 'a', keyId: 'x' }, undefined, ({ relayerId }) => relayerId === 'a'],
    [
      { keyId: 'x', action: 'signature.create' },
      undefined,
      ({ keyId, action }) => keyId === 'x' && action === 'signature.create',
    ],
    [
      { action: 'relayer.update' },
      { relayers: ['a', 'b', 'c'] },
      ({ action }) => action === 'relayer.update',
    ],
    [
      { action: 'signature.create' },
      { relayers: ['b'], groups: ['none'] },
      ({ relayerId, action }) => relayerId === 'b' && action === 'signature.create',
    ],
    [{}, { relayers: ['a', 'c'], groups: ['none'] }, ({ relayerId }) => relayerId === 'a'],
    [{}, { relayers: ['c'], groups: ['small'] }, ({ relayerId }) => relayerId === 'b'],
    [{}, { groups: ['large'] }, ({ relayerId }) => relayerId === 'a'],
    [
      { action: 'relayer.update' },
      { relayers: ['b'], groups: ['large'] },
      ({ action }) => action === 'relayer.update',
    ],
    [{ relayerId: 'a' }, { relayers: ['a'] }, ({ relayerId }) => relayerId === 'a'],
    [{ relayerId: 'a' }, { relayers: ['b'] }, () => false],
    [{ keyId: 'x' }, {}, () => false],
    [
      { keyId: 'x', relayerId: 'a', since: new Date(700), until: new Date(2100) },
      undefined,
      ({ relayerId, at }) => relayerId === 'a' && at.getTime() >= 700 && at.getTime() < 2100,
    ],
  ])('are listed and exported completely with %j by a key with %j', async (filter, reach, matches) => {
    const expected = newestFirst(matches);
    expect((await listed(filter, 999, reach)).sequences).toEqual(expected);
    const exported: number[] = [];
    for await (const page of await callWithReach(() => events.export(filter), reach)) {
      expect(page.length).toBeGreaterThan(0);
      exported.push(...page.map(({ sequence }) => sequence));
    }
    expect(exported).toEqual(expected.reverse());
  });

  it('are searched without a page for per_page=0', async () => {
    const page = await callWithReach(() =>
      events.list({ relayerId: 'a', keyId: 'x', per_page: 0, cursor: null }),
    );
    expect(page).toMatchObject({ items: [], nextCursor: null });
  });

  if (databaseName !== 'SQLite') {
    it.each<[AuditEventFilter, Reach]>([
      [{}, { relayers: ['a', 'c'] }],
      [{}, { relayers: ['c'], groups: ['small'] }],
      [{ keyId: 'x' }, { relayers: ['c', 'd'] }],
    ])('are found without reading every event with %j by a key with %j', async (filter, reach) => {
      const statements = recorded();
      await callWithReach(() => events.list(pageOf(filter, 10)), reach);
      jest.restoreAllMocks();
      expect(statements.length).toBeGreaterThan(1);
      for (const { text, values } of statements) {
        const plan = await dataSource.query<{ select_type: string }[]>(
          `EXPLAIN FORMAT=TRADITIONAL ${text}`,
          values,
        );
        expect(plan.map(({ select_type: type }) => type)).not.toContain('DEPENDENT SUBQUERY');
      }
    });
    return;
  }

  it.each<[AuditEventFilter, Reach | undefined]>([
    [{}, { relayers: ['a'], groups: ['small'] }],
    [{ action: 'signature.create' }, { relayers: ['a', 'b'], groups: ['small'] }],
    [{ relayerId: 'a', keyId: 'y', action: 'signature.create' }, undefined],
  ])('are found by one index with %j by a key with %j', async (filter, reach) => {
    const statements = recorded();
    await callWithReach(() => events.list(pageOf(filter, 10)), reach);
    jest.restoreAllMocks();
    expect(statements.length).toBeGreaterThan(1);
    for (const { text, values } of statements.filter((statement) =>
      statement.text.includes('audit_events'),
    )) {
      const plan = await dataSource.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${text}`, values);
      const steps = plan.map(({ detail }) => detail);
      expect(steps.filter((step) => /\bevent\b/.test(step))).toEqual([
        expect.stringMatching(/^SEARCH event USING (COVERING )?INDEX ix_audit_events_/),
      ]);
      expect(steps).not.toContain('MULTI-INDEX OR');
    }
  });
});
