import { type Connection, createConnection } from 'mysql2/promise';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { LockWaits } from '../support/lock-waits';
import { numberRows } from '../support/number-rows';

const KEY = 'ab'.repeat(32);

describeWithMariaDb('A deadlock', () => {
  let database: TestDatabase;
  let service: TestApplication;
  /** Another client of the database, in a transaction that the server does not choose as the victim of a deadlock. */
  let rival: Connection;
  let waits: LockWaits;

  beforeAll(async () => {
    database = await createMariaDb();
    service = await TestApplication.start(database);
    service.keepSecret(KEY);
    rival = await createConnection(database.url);
    waits = new LockWaits(rival);
    await rival.query('CREATE TABLE weight (number int)');
    await addRelayer(service, { id: 'relayer' });
    await service.post('/api/v1/signers', { id: 'signer', type: 'plain', config: { key: KEY } });
    await service.post('/api/v1/networks', { name: 'unused', network_type: 'evm', chain_id: 7 });
  });

  beforeEach(async () => {
    await rival.beginTransaction();
    await rival.query(`INSERT INTO weight ${numberRows(1, 1000)}`);
  });

  afterEach(() => rival.rollback());

  afterAll(async () => {
    await rival.end();
    await service.close();
    await database.drop();
  });

  const deadlocks = async (): Promise<number> => {
    const [rows] = await rival.query(
      "SELECT `count` AS number FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'",
    );
    return Number((rows as { number: string }[])[0]?.number);
  };

  it.each([
    ['relayers', 'relayer'],
    ['signers', 'signer'],
    ['networks', 'evm:unused'],
  ])('does not make the deletion of %s fail', async (table, id) => {
    const before = await deadlocks();
    await rival.query(
      `SELECT id FROM ${table} FORCE INDEX (ix_${table}_created_at)
       WHERE created_at = (SELECT created_at FROM ${table} WHERE id = ?) AND id = ? LOCK IN SHARE MODE`,
      [id, id],
    );
    const deleted = service.call({ method: 'DELETE', path: `/api/v1/${table}/${id}` });
    await waits.until(1);
    await rival.query(`SELECT id FROM ${table} WHERE id = ? FOR UPDATE`, [id]);
    await rival.rollback();
    expect((await deleted).status).toBe(200);
    expect(await deadlocks()).toBeGreaterThan(before);
  });

  it.each<[string, object, string]>([
    [
      'signers',
      { id: 'twice', type: 'plain', config: { key: KEY } },
      "(id, kind, settings, created_at) VALUES ('twice', 'local', '{}', NOW())",
    ],
    [
      'networks',
      { name: 'twice', network_type: 'evm', chain_id: 8 },
      `(id, name, network_type, features, tags, explorer_urls, created_at)
       VALUES ('evm:twice', 'twice', 'evm', '[]', '[]', '[]', NOW())`,
    ],
    [
      'notifications',
      { id: 'twice', type: 'webhook', url: 'http://127.0.0.1:9' },
      "(id, type, url, created_at) VALUES ('twice', 'webhook', 'http://127.0.0.1:9', NOW())",
    ],
  ])('does not make the creation of %s fail', async (table, body, row) => {
    const before = await deadlocks();
    await rival.query(`INSERT INTO ${table} ${row}`);
    const created = [1, 2].map(() => service.post(`/api/v1/${table}`, body));
    await waits.until(2);
    // Both are released at once, and each holds a lock that the other waits for.
    await rival.rollback();
    const statuses = (await Promise.all(created)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409]);
    expect(await deadlocks()).toBeGreaterThan(before);
  });
});
