import { randomBytes } from 'node:crypto';
import { openDataSource } from '../../test/support/open-data-source';
import { Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { createSqlite, type TestDatabase, withSchema } from '../../test/support/databases';
import { PROTECTED_TABLES } from '../app/protected-tables';
import { runWithRequest } from '../common/http/request-context';
import { Secret } from '../common/secrets/secret';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { OneTripTransactions } from '../database/one-trip-transactions';
import { UnitOfWork } from '../database/unit-of-work';
import { RowMacs } from '../secrets/row-macs';
import { AuditChainEntity } from './audit-chain.entity';
import { AuditEventEntity } from './audit-event.entity';
import { AuditLog } from './audit-log';
import { recordedAs } from './audit-origin';
import { AuditRows } from './audit-rows';
import { ChainRegister } from './chain-register';
import { firstHash, hashOf } from './row-hash';

describe('AuditLog', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let unitOfWork: UnitOfWork;
  let log: AuditLog;

  beforeEach(async () => {
    database = await withSchema(createSqlite)();
    dataSource = await openDataSource(database);
    unitOfWork = new UnitOfWork(dataSource);
    const key = new Secret(randomBytes(32).toString('base64'));
    const integrity = new RowIntegrity(new RowMacs([key], PROTECTED_TABLES), new Registry());
    const register = new ChainRegister(unitOfWork, integrity);
    const oneTrip = new OneTripTransactions(dataSource);
    log = new AuditLog(unitOfWork, new AuditRows(unitOfWork, register), register, oneTrip);
  });

  afterEach(async () => {
    jest.useRealTimers();
    await dataSource.destroy();
    await database.drop();
  });

  const events = () =>
    dataSource.manager.find(AuditEventEntity, { order: { chain: 'ASC', sequence: 'ASC' } });
  const chains = () => dataSource.manager.find(AuditChainEntity, { order: { id: 'ASC' } });
  const places = async (): Promise<string[]> =>
    (await events()).map(({ chain, sequence, relayerId }) => `${chain}-${sequence} ${relayerId}`);
  const record = (relayerId: string) => log.record({ action: 'relayer.update', relayerId });

  it('commits an event recorded outside a unit of work, with its context', async () => {
    const digest = Buffer.alloc(32, 0xab);
    await new Promise<void>((resolve, reject) => {
      runWithRequest(
        'request-1',
        () => {
          log
            .record({ action: 'signature.create', relayerId: 'r', signerId: 's', digest, form: 'message' })
            .then(resolve, reject);
        },
        '192.0.2.1',
      );
    });
    const code = 'relayer_paused';
    await log.record({ action: 'signature.create', relayerId: 'r', code });
    const changes = { name: { before: 'one', after: undefined } };
    await recordedAs('import', () => log.record({ action: 'relayer.update', changes }));
    expect(await events()).toEqual([
      {
        chain: 1,
        sequence: 1,
        at: expect.any(Date),
        keyId: null,
        action: 'signature.create',
        relayerId: 'r',
        signerId: 's',
        requestId: 'request-1',
        clientIp: '192.0.2.1',
        outcome: 'success',
        code: null,
        digest: 'ab'.repeat(32),
        form: 'message',
        changes: null,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      expect.objectContaining({ sequence: 2, requestId: null, clientIp: null, outcome: 'failure', code }),
      expect.objectContaining({ action: 'import.relayer.update', changes: { name: { before: 'one' } } }),
    ]);
  });

  it('links each row to the previous one, and the head to the last one', async () => {
    await record('a');
    await Promise.all(Array.from({ length: 130 }, (_, i) => record(`b${i}`)));
    const [register, chain] = await chains();
    expect(register).toMatchObject({ id: '0', sequence: 1 });
    const rows = await events();
    expect(rows).toHaveLength(131);
    let hash = firstHash(1, chain?.name ?? '');
    for (const row of rows) {
      hash = hashOf(hash, row);
      expect(row.hash).toBe(hash);
    }
    expect(chain).toMatchObject({ id: '1', sequence: 131, hash, prunedAt: null, exportAt: expect.any(Date) });
  });

  it('writes concurrent events in one transaction, and the events of a list consecutively', async () => {
    const run = jest.spyOn(unitOfWork, 'run');
    await Promise.all([
      record('a'),
      log.recordAll([
        { action: 'relayer.update', relayerId: 'b' },
        { action: 'relayer.update', relayerId: 'c' },
      ]),
      record('d'),
    ]);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await places()).toEqual(['1-1 a', '1-2 b', '1-3 c', '1-4 d']);
    expect(new Set((await events()).map(({ at }) => at.getTime())).size).toBe(1);
  });

  it('records within the unit of work in progress', async () => {
    await unitOfWork.run(async () => {
      await record('a');
      await record('b');
      expect(await unitOfWork.repository(AuditEventEntity).count()).toBe(0);
    });
    expect(await places()).toEqual(['1-1 a', '1-2 b']);
  });

  it('drops events that are rolled back, and continues the same chain', async () => {
    await record('a');
    const rolledBack = unitOfWork.run(async () => {
      await record('b');
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await record('c');
    expect(await places()).toEqual(['1-1 a', '1-2 c']);
  });

  it('records an event once when its unit of work is retried', async () => {
    let attempts = 0;
    await unitOfWork.run(async () => {
      attempts += 1;
      await record(`attempt ${attempts}`);
      if (attempts < 3) throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
    });
    expect(await places()).toEqual(['1-1 attempt 3']);
  });

  it('starts a new chain when the outcome of a commit is unknown', async () => {
    await record('a');
    const transaction = dataSource.transaction.bind(dataSource);
    jest.spyOn(dataSource, 'transaction').mockImplementationOnce((async (work: never) => {
      await transaction(work);
      throw new Error('connection lost');
    }) as never);
    await expect(record('committed all the same')).rejects.toThrow('connection lost');
    await record('b');
    await record('c');
    expect(await places()).toEqual(['1-1 a', '1-2 committed all the same', '2-1 b', '2-2 c']);
    expect((await chains()).map(({ sequence }) => sequence)).toEqual([2, 2, 2]);
  });

  it('does not affect events recorded after a commit that fails', async () => {
    await record('a');
    await dataSource.query('CREATE TABLE parents (id integer PRIMARY KEY)');
    await dataSource.query(
      'CREATE TABLE children (id integer REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)',
    );
    const works = Array.from({ length: 300 }, (_, i) =>
      unitOfWork.run(async () => {
        if (i === 5) await unitOfWork.manager.query('INSERT INTO children VALUES (1)');
        await record(String(i));
      }),
    );
    const failures = (await Promise.allSettled(works)).flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as Error).message] : [],
    );
    expect(new Set(failures)).toEqual(new Set([expect.stringContaining('FOREIGN KEY')]));
    expect(await events()).toHaveLength(301 - failures.length);
  });

  it('fails when its head was changed by another process, and starts a new chain afterwards', async () => {
    await record('a');
    await dataSource.query("UPDATE audit_chains SET sequence = 9 WHERE id = '1'");
    await expect(record('b')).rejects.toThrow('The head of audit chain 1 is not as this process wrote it');
    await record('c');
    expect(await places()).toEqual(['1-1 a', '2-1 c']);
  });

  it('rolls back the change when its rows cannot be written', async () => {
    await dataSource.query('CREATE TABLE things (name varchar)');
    await dataSource.query('DROP TABLE audit_events');
    const work = unitOfWork.run(async () => {
      await unitOfWork.manager.query("INSERT INTO things VALUES ('x')");
      await record('a');
    });
    await expect(work).rejects.toThrow('no such table');
    expect(await dataSource.query('SELECT name FROM things')).toEqual([]);
    expect(await chains()).toEqual([]);
  });

  it('starts a new chain each day', async () => {
    jest.useFakeTimers({
      now: new Date('2026-01-31T23:59:59.999Z'),
      doNotFake: ['setImmediate', 'nextTick'],
    });
    await record('a');
    jest.setSystemTime(new Date('2026-02-01T00:00:00.000Z'));
    await record('b');
    await record('c');
    expect(await places()).toEqual(['1-1 a', '2-1 b', '2-2 c']);
    expect((await chains()).map(({ name }) => name.slice(-10))).toEqual([
      'register',
      '2026-01-31',
      '2026-02-01',
    ]);
  });

  it('truncates values from headers to their columns', async () => {
    await new Promise<void>((resolve, reject) => {
      runWithRequest('r'.repeat(128), () => void record('a').then(resolve, reject), 'x'.repeat(100));
    });
    expect(await events()).toMatchObject([{ requestId: 'r'.repeat(128), clientIp: 'x'.repeat(64) }]);
  });
});
