import { DataSource } from 'typeorm';
import { createSqlite, type TestDatabase, withSchema } from '../../../test/support/databases';
import { OngoingAccess } from '../../access/ongoing-access';
import { type Principal, ROOT } from '../../access/principal';
import { ENTITIES } from '../../app/entities';
import { DomainError } from '../../common/errors/domain-error';
import { currentRequest, runWithRequest } from '../../common/http/request-context';
import { parseDatabaseUrl } from '../../config/database-url';
import { createDataSource, dataSourceOptions } from '../../database/data-source';
import { UnitOfWork } from '../../database/unit-of-work';
import { AuditEventEntity } from '../audit-event.entity';
import { AuditEventsService } from './audit-events.service';

const REACH = { relayers: new Set(['r', 'q']), groups: new Set<string>() };
const KEY: Principal = { ...ROOT, id: 'key', kind: 'api_key', reach: REACH };
const REVOKED = new DomainError('unauthorized', 'Unauthorized');

describe('AuditEventsService', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let recheck: () => void;
  let events: AuditEventsService;

  beforeEach(async () => {
    database = await withSchema(createSqlite)();
    dataSource = await createDataSource(
      dataSourceOptions(parseDatabaseUrl(database.url), ENTITIES),
    ).initialize();
    recheck = () => undefined;
    const access = new OngoingAccess({
      assertStillValid: () => {
        recheck();
      },
    });
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

  /** The response pulls the pages from outside of the request. */
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

  it('ends an export where the key is revoked', async () => {
    const pages = await exported();
    expect(await lengthOf(pages)).toBe(500);
    recheck = () => {
      throw REVOKED;
    };
    await expect(pages.next()).rejects.toBe(REVOKED);
  });

  it('exports what the key still reaches', async () => {
    const pages = await exported();
    expect(await lengthOf(pages)).toBe(500);
    recheck = () => {
      const request = currentRequest();
      if (request) request.principal = { ...KEY, reach: { ...REACH, relayers: new Set(['q']) } };
    };
    expect(await lengthOf(pages)).toBe(350);
  });
});
