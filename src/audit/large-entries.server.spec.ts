import { randomBytes } from 'node:crypto';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import {
  createMariaDb,
  describeWithMariaDb,
  type TestDatabase,
  withSchema,
} from '../../test/support/databases';
import { openDataSource } from '../../test/support/open-data-source';
import { PROTECTED_TABLES } from '../app/protected-tables';
import { Secret } from '../common/secrets/secret';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { OneTripTransactions } from '../database/one-trip-transactions';
import { UnitOfWork } from '../database/unit-of-work';
import { RowMacs } from '../secrets/row-macs';
import { AuditEventEntity } from './audit-event.entity';
import { AuditLog } from './audit-log';
import { AuditRows } from './audit-rows';
import { ChainRegister } from './chain-register';

/** Together, they are longer than a statement that MariaDB accepts. */
const COUNT = 200;
const TEXT = 'é'.repeat(64_000);

describeWithMariaDb('Audit entries that are too long for one statement', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let oneTrip: OneTripTransactions;
  let log: AuditLog;

  beforeAll(async () => {
    database = await withSchema(createMariaDb)();
    dataSource = await openDataSource(database);
    unitOfWork = new UnitOfWork(dataSource);
    const key = new Secret(randomBytes(32).toString('base64'));
    const integrity = new RowIntegrity(new RowMacs([key], PROTECTED_TABLES), new Registry());
    const register = new ChainRegister(unitOfWork, integrity);
    oneTrip = new OneTripTransactions(dataSource);
    log = new AuditLog(unitOfWork, new AuditRows(unitOfWork, register), register, oneTrip);
  });

  afterAll(async () => {
    await oneTrip.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const entry = { action: 'relayer.update' as const, changes: { name: { before: null, after: TEXT } } };
  const count = () => dataSource.manager.count(AuditEventEntity);

  it('are stored when many are recorded at the same time', async () => {
    await log.record({ action: 'relayer.update' });
    await Promise.all(Array.from({ length: COUNT }, () => log.record(entry)));
    expect(await count()).toBe(1 + COUNT);
  });

  it('are stored by one unit of work', async () => {
    const before = await count();
    await unitOfWork.run(() => log.recordAll(Array.from({ length: COUNT }, () => entry)));
    expect(await count()).toBe(before + COUNT);
  });
});
