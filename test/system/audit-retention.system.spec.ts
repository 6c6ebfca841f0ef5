import { DataSource } from 'typeorm';
import { AuditChainEntity } from '../../src/audit/audit-chain.entity';
import { AuditLog } from '../../src/audit/audit-log';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';
import { sealRows } from '../support/row-macs';
import { CommandProcess } from '../support/stored-secrets';

const KEY = Buffer.alloc(32, 'a key of a test').toString('base64');
const DAY_MS = 24 * 3_600_000;

describeService('The retention of the audit log', { startFor: 'none' }, ({ service, database }) => {
  const start = (settings: Record<string, string> = {}): Promise<void> =>
    service.start(database, { STORAGE_ENCRYPTION_KEY: KEY, ...settings });

  const query = <T>(statement: string, values: unknown[] = []): Promise<T[]> =>
    service.app.get(DataSource).query<T[]>(statement, values);

  const chainsWithRows = async (): Promise<number[]> => {
    const rows = await query<{ chain: number }>('SELECT DISTINCT chain FROM audit_events ORDER BY chain');
    return rows.map(({ chain }) => chain);
  };

  /** Creates a chain for each age by starting the service, and backdates it by that many days. */
  const fill = async (...ages: number[]): Promise<void> => {
    for (const [i, days] of ages.entries()) {
      await start({ AUDIT_RETENTION_DAYS: '0' });
      for (let count = 0; count < 3; count += 1)
        await service.app.get(AuditLog).record({ action: 'relayer.update', relayerId: 'r' });
      const head = { createdAt: new Date(Date.now() - days * DAY_MS) };
      const heads = service.app.get(DataSource).getRepository(AuditChainEntity);
      await heads.update({ id: String(i + 1) }, head);
      await sealRows(service, AuditChainEntity, String(i + 1));
      await service.close();
    }
  };

  it('purges whole chains past their retention, retains their heads, and is itself recorded', async () => {
    await fill(12, 11.5, 10.5);
    await start({ AUDIT_RETENTION_DAYS: '10' });
    await until('the purge', async () => !(await chainsWithRows()).includes(2));
    // The third chain may have rows that are younger than ten days.
    expect((await chainsWithRows()).slice(0, 1)).toEqual([3]);
    const { body } = await service.get('/api/v1/audit-events?action=audit.prune');
    const pruned = (body.data as { changes: { id: unknown }; key_id: unknown }[]).map(
      ({ changes, key_id }) => [changes.id, key_id],
    );
    expect(pruned).toEqual([
      [{ before: '2', after: null }, null],
      [{ before: '1', after: null }, null],
    ]);
    const command = new CommandProcess(['commands/audit-verify.js'], database, KEY);
    expect({ code: await command.ended, stderr: command.stderr }).toEqual({ code: 0, stderr: '' });
    expect(command.stdout).toContain('2 of them purged');
    await service.close();
  });

  it('waits for a sink that has not received all events', async () => {
    await fill(12);
    await start({ AUDIT_RETENTION_DAYS: '10', AUDIT_SINK: 'syslog+tls://127.0.0.1:9' });
    await until('the failure of the sink', () =>
      service.logs.some((line) => line.includes('The audit sink did not accept events')),
    );
    expect(await chainsWithRows()).toContain(1);
    await service.close();
  });

  it('keeps events whose chain was removed, and purges the others', async () => {
    await fill(12, 12, 1);
    await start({ AUDIT_RETENTION_DAYS: '0' });
    await query('DELETE FROM audit_chains WHERE id = 1');
    await service.close();
    await start({ AUDIT_RETENTION_DAYS: '10' });
    await until('the purge', async () => !(await chainsWithRows()).includes(2));
    expect((await chainsWithRows()).slice(0, 2)).toEqual([1, 3]);
    const warnings = service.logs.filter((line) => line.includes('Audit events without a chain are kept'));
    expect(warnings).toHaveLength(1);
    await service.close();
  });

  it('does not wait for a chain that was begun by a clock that was ahead', async () => {
    await fill(-400, 12, 1);
    await start({ AUDIT_RETENTION_DAYS: '10' });
    await until('the purge', async () => !(await chainsWithRows()).includes(2));
    expect((await chainsWithRows()).slice(0, 2)).toEqual([1, 3]);
    await service.close();
  });
});
