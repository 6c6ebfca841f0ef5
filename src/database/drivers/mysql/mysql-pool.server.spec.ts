import { DataSource } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../../../test/support/databases';
import { SilentProxy } from '../../../../test/support/silent-proxy';
import { parseDatabaseUrl } from '../../../config/database-url';
import { dataSourceOptions } from '../../data-source';
import { endPool } from './mysql-pool';
import { limitStatements } from './mysql-query-runner';

const TIMEOUT_MS = 300;

describeWithMariaDb('The pool of a data source', () => {
  let database: TestDatabase;

  const create = (url: string): DataSource =>
    limitStatements(endPool(new DataSource(dataSourceOptions(parseDatabaseUrl(url), []))), TIMEOUT_MS);
  const poolOf = ({ driver }: DataSource): unknown => (driver as MysqlDriver).pool;

  beforeEach(async () => {
    database = await createMariaDb();
  });

  afterEach(() => database.drop());

  it('ends although statements exceed their timeout meanwhile', async () => {
    const dataSource = await create(database.url).initialize();
    const sessions = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    for (const session of sessions) await session.query('SELECT 1');
    const naps = Promise.allSettled(sessions.map((session) => session.query('SELECT SLEEP(2)')));
    // Both were sent.
    await new Promise(setImmediate);
    await dataSource.destroy();
    expect(poolOf(dataSource)).toBeUndefined();
    expect(dataSource.isInitialized).toBe(false);
    const reason = expect.objectContaining({ code: 'PROTOCOL_SEQUENCE_TIMEOUT' }) as unknown;
    expect(await naps).toEqual(sessions.map(() => ({ status: 'rejected', reason })));
  });

  it('ends if the first statement fails', async () => {
    const proxy = await SilentProxy.create(database.url);
    const dataSource = create(proxy.url);
    try {
      await expect(dataSource.initialize()).rejects.toThrow('timed out');
      expect(poolOf(dataSource)).toBeUndefined();
    } finally {
      await proxy.destroy();
    }
  });

  it('ends once', async () => {
    const dataSource = await create(database.url).initialize();
    await dataSource.driver.disconnect();
    await expect(dataSource.driver.disconnect()).rejects.toThrow('not established');
  });
});
