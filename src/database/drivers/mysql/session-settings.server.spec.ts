import type { DataSource } from 'typeorm';
import { describeWithMariaDb } from '../../../../test/support/databases';
import { PrivateMariaDb } from '../../../../test/support/private-servers';
import { parseDatabaseUrl } from '../../../config/database-url';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { OneTripTransactions } from '../../one-trip-transactions';
import { withStatementTimeout } from './mysql-query-runner';

const ON = [{ autocommit: '1', keys: '1' }];
const SETTINGS = 'SELECT @@SESSION.autocommit AS autocommit, @@SESSION.foreign_key_checks AS `keys`';

describeWithMariaDb('A server that neither commits by itself nor checks foreign keys', () => {
  let server: PrivateMariaDb;
  let dataSource: DataSource;
  let transactions: OneTripTransactions;

  const open = (): Promise<DataSource> =>
    createDataSource(dataSourceOptions(parseDatabaseUrl(`${server.url}/relayer`), [])).initialize();

  beforeAll(async () => {
    server = await PrivateMariaDb.create();
    await server.query('CREATE DATABASE relayer CHARACTER SET utf8mb4');
    await server.query('SET GLOBAL autocommit = 0');
    await server.query('SET GLOBAL foreign_key_checks = 0');
  });

  afterAll(() => server.destroy());

  beforeEach(async () => {
    dataSource = await open();
    await dataSource.query('CREATE TABLE things (name varchar(9) PRIMARY KEY)');
    transactions = new OneTripTransactions(dataSource);
  });

  afterEach(async () => {
    await dataSource.query('DROP TABLE things');
    await transactions.onApplicationShutdown();
    await dataSource.destroy();
  });

  it('commits single statements, and shows what others have committed', async () => {
    const other = await open();
    try {
      expect(await dataSource.query('SELECT name FROM things')).toEqual([]);
      await other.query("INSERT INTO things VALUES ('a')");
      expect(await dataSource.query('SELECT name FROM things')).toEqual([{ name: 'a' }]);
    } finally {
      await other.destroy();
    }
  });

  it('does both for every connection of the service', async () => {
    expect(await dataSource.query(SETTINGS)).toEqual(ON);
    expect(await withStatementTimeout(dataSource, 100_000).query(SETTINGS)).toEqual(ON);
    const text = 'INSERT INTO things SELECT @@SESSION.autocommit + @@SESSION.foreign_key_checks';
    expect(await transactions.commit([{ text, values: [] }])).toBe(true);
    expect(await dataSource.query('SELECT name FROM things')).toEqual([{ name: '2' }]);
  });
});
