import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { bearer, createApiKey } from '../support/api-keys';
import { TestApplication } from '../support/application';
import { addRelayer } from '../support/builders';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../support/databases';
import { until } from '../support/private-servers';

describeWithMariaDb('A relayer that another instance has locked', () => {
  let database: TestDatabase;
  let service: TestApplication;
  let instance: Connection;

  beforeAll(async () => {
    database = await createMariaDb();
    service = await TestApplication.start(database);
    for (const id of ['locked', 'other']) await addRelayer(service, { id });
    instance = await createConnection(database.url);
  });

  afterAll(async () => {
    await instance.end();
    await service.close();
    await database.drop();
  });

  const rename = (key: string, id: string): Promise<number> =>
    service
      .call({ method: 'PATCH', path: `/api/v1/relayers/${id}`, body: { name: 'New' }, headers: bearer(key) })
      .then(({ status }) => status);

  it('leaves connections for other keys, however many requests of one key wait for it', async () => {
    const [busy, quiet] = [
      await createApiKey(service, { scopes: ['relayers:write'] }),
      await createApiKey(service, { scopes: ['relayers:write'] }),
    ];
    await instance.beginTransaction();
    await instance.query("SELECT id FROM relayers WHERE id = 'locked' FOR UPDATE");
    let isLocked = true;
    const waiting = Array.from({ length: 30 }, async () => {
      const status = await rename(busy.key, 'locked');
      return { status, isLocked };
    });
    await until('the first requests wait', async () => {
      // The table is not refreshed while it is read more often.
      await sleep(200);
      const [waits] = await instance.query(
        "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
      );
      return (waits as unknown[]).length >= 5;
    });
    for (let round = 0; round < 5; round += 1) {
      expect(await rename(quiet.key, 'other')).toBe(200);
      const { status, body } = await service.get('/v1/ready');
      expect([status, body]).toMatchObject([200, { components: { database: { status: 'up' } } }]);
    }
    isLocked = false;
    await instance.rollback();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ status: 200, isLocked: false })));
  });
});
