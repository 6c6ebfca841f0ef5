import { setTimeout as sleep } from 'node:timers/promises';
import { AuditLog } from '../../src/audit/audit-log';
import { describeService } from '../support/describe-service';
import { openDataSource } from '../support/open-data-source';

/** Longer than the service takes to stop. */
const SLOW_MS = 2_000;

describeService('A request refused just before a stop', { startFor: 'none' }, ({ service, database }) => {
  afterEach(() => jest.restoreAllMocks());

  it('is in the audit log, although the database is slow', async () => {
    await service.start(database);
    const log = service.app.get(AuditLog);
    const record = log.record.bind(log);
    jest.spyOn(log, 'record').mockImplementation(async (...entry) => {
      await sleep(SLOW_MS);
      await record(...entry);
    });
    const refused = await service.get('/api/v1/relayers', { authorization: 'Bearer wrong' });
    expect(refused.status).toBe(401);
    await service.close();
    const dataSource = await openDataSource(database);
    const rows: object[] = await dataSource.query(
      "SELECT code FROM audit_events WHERE action = 'authentication.fail'",
    );
    await dataSource.destroy();
    expect(rows).toHaveLength(1);
  });
});
