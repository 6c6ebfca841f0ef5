import { DataSource, In } from 'typeorm';
import { ongoingAccess } from '../../../test/support/ongoing-access';
import { openDataSource } from '../../../test/support/open-data-source';
import { createSqlite, type TestDatabase, withSchema } from '../../../test/support/databases';
import { type Principal, ROOT } from '../../access/principal';
import { DomainError } from '../../common/errors/domain-error';
import { currentRequest, runWithRequest } from '../../common/http/request-context';
import { UnitOfWork } from '../../database/unit-of-work';
import { AuditEventEntity } from '../audit-event.entity';
import { type AuditCursor, parseAuditCursor } from './audit-cursor';
import { AuditEventsService } from './audit-events.service';

const REACH = { relayers: new Set(['r', 'q']), groups: new Set<string>() };
const KEY: Principal = { ...ROOT, id: 'key', kind: 'api_key', reach: REACH };
const REVOKED = new DomainError('unauthorized', 'Unauthorized');
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('AuditEventsService', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let recheck: () => void;
  let events: AuditEventsService;

  beforeEach(async () => {
    database = await withSchema(createSqlite)();
    dataSource = await openDataSource(database);
    recheck = () => undefined;
    const access = ongoingAccess(() => recheck());
    events = new AuditEventsService(new UnitOfWork(dataSource), access);
    for (let first = 1; first <= 1200; first += 100) await insert(first);
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const insert = (first: number) =>
    dataSource.manager.insert(
      AuditEventEntity,
      Array.from({ length: 100 }, (_, i) => ({
        chain: 1,
        sequence: first + i,
        at: new Date(first + i),
        action: 'signature.create',
        relayerId: i % 2 === 0 ? 'r' : 'q',
        outcome: 'success' as const,
        hash: '',
      })),
    );

  /** The response pulls the pages outside of the request's context. */
  const exported = async (): Promise<AsyncIterator<AuditEventEntity[]>> =>
    (
      await new Promise<AsyncIterable<AuditEventEntity[]>>((resolve, reject) => {
        runWithRequest('id', () => {
          const request = currentRequest();
          if (request) request.principal = KEY;
          events.export({}).then(resolve, reject);
        });
      })
    )[Symbol.asyncIterator]();
  const lengthOf = async (pages: AsyncIterator<AuditEventEntity[]>): Promise<number> =>
    ((await pages.next()).value as AuditEventEntity[]).length;

  it('aborts an export when the key is revoked', async () => {
    const pages = await exported();
    expect(await lengthOf(pages)).toBe(500);
    recheck = () => {
      throw REVOKED;
    };
    await expect(pages.next()).rejects.toBe(REVOKED);
  });

  it('exports only events of relayers that the key can still reach', async () => {
    const pages = await exported();
    expect(await lengthOf(pages)).toBe(500);
    recheck = () => {
      const request = currentRequest();
      if (request) request.principal = { ...KEY, reach: { ...REACH, relayers: new Set(['q']) } };
    };
    expect(await lengthOf(pages)).toBe(350);
  });

  describe('with large changes', () => {
    const large = { policies: { before: 'a'.repeat(1024 * 1024), after: '' } };
    /** 20 events of 1 MiB: the newest and the oldest ones. */
    const SEQUENCES = [...range(1, 10), ...range(1191, 1200)];

    beforeEach(async () => {
      await dataSource.manager.update(AuditEventEntity, { sequence: In(SEQUENCES) }, { changes: large });
    });

    it('lists fewer events per page, and all of them page by page', async () => {
      const sequences: number[] = [];
      const sizes: number[] = [];
      let cursor: AuditCursor | null = null;
      do {
        const page = await events.list({ per_page: 1000, cursor });
        sequences.push(...page.items.map(({ sequence }) => sequence));
        sizes.push(page.items.length);
        cursor = page.nextCursor === null ? null : parseAuditCursor(page.nextCursor);
      } while (cursor);
      expect(sequences).toEqual(range(1, 1200).reverse());
      expect(sizes).toEqual([7, 1000, 190, 3]);
    });

    it('exports fewer events per page, and all of them', async () => {
      const sequences: number[] = [];
      const sizes: number[] = [];
      const pages = await exported();
      for await (const page of { [Symbol.asyncIterator]: () => pages }) {
        sequences.push(...page.map(({ sequence }) => sequence));
        sizes.push(page.length);
      }
      expect(sequences).toEqual(range(1, 1200));
      expect(sizes).toEqual([7, 500, 500, 190, 3]);
    });

    it('returns an empty page for per_page=0', async () => {
      expect(await events.list({ per_page: 0, cursor: null })).toMatchObject({ items: [], nextCursor: null });
    });

    it('lists an event that alone exceeds the size of a page', async () => {
      const huge = { policies: { before: 'a'.repeat(9 * 1024 * 1024), after: '' } };
      await dataSource.manager.update(AuditEventEntity, { sequence: 1200 }, { changes: huge });
      const page = await events.list({ per_page: 1000, cursor: null });
      expect(page.items.map(({ sequence }) => sequence)).toEqual([1200]);
      expect(page.nextCursor).not.toBeNull();
    });
  });
});
