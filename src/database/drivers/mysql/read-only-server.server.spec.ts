import type { DataSource } from 'typeorm';
import { describeWithMariaDb } from '../../../../test/support/databases';
import { PrivateMariaDb, until } from '../../../../test/support/private-servers';
import { parseDatabaseUrl } from '../../../config/database-url';
import { assertWritable } from '../../assert-writable';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { OneTripTransactions } from '../../one-trip-transactions';
import { driverCodeOf } from '../driver-errors';

const INSERT = "INSERT INTO things (name) VALUES ('a')";

describeWithMariaDb('A server that becomes read-only', () => {
  let server: PrivateMariaDb;
  let url: string;
  let dataSource: DataSource;

  const setReadOnly = (value: 0 | 1): Promise<void> => server.administer(`SET GLOBAL read_only = ${value}`);
  const open = (): Promise<DataSource> =>
    createDataSource({ ...dataSourceOptions(parseDatabaseUrl(url), []), poolSize: 1 } as never).initialize();
  const thread = async (): Promise<string> => {
    const [row] = await dataSource.query<[{ id: string | number }]>('SELECT CONNECTION_ID() AS id');
    return String(row.id);
  };
  const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', driverCodeOf);

  beforeAll(async () => {
    server = await PrivateMariaDb.create();
    url = await server.createRelayer();
    await server.administer('CREATE TABLE relayer.things (name varchar(9))');
  });

  afterAll(() => server.destroy());

  beforeEach(async () => {
    await setReadOnly(0);
    await server.administer('TRUNCATE relayer.things');
    dataSource = await open();
  });

  afterEach(() => dataSource.destroy());

  it('loses the connection whose statement it refuses', async () => {
    await dataSource.query(INSERT);
    const before = await thread();
    await setReadOnly(1);
    expect(await codeOf(dataSource.query(INSERT))).toBe('ER_OPTION_PREVENTS_STATEMENT');
    const after = await thread();
    expect(after).not.toBe(before);
    expect(await thread()).toBe(after);
    await setReadOnly(0);
    await dataSource.query(INSERT);
  });

  it('loses the connection whose transaction it refuses, which fails with that error', async () => {
    const before = await thread();
    await setReadOnly(1);
    const work = dataSource.transaction(async (manager) => {
      await manager.query('SELECT 1');
      await manager.query(INSERT);
    });
    expect(await codeOf(work)).toBe('ER_OPTION_PREVENTS_STATEMENT');
    expect(await thread()).not.toBe(before);
  });

  it('loses the connections of transactions in one round trip', async () => {
    const transactions = new OneTripTransactions(dataSource);
    const insert = { text: INSERT, values: [] };
    const connections = async (): Promise<number> =>
      (await dataSource.query<unknown[]>('SELECT id FROM information_schema.processlist')).length;
    try {
      expect(await transactions.commit([insert])).toBe(true);
      expect(await connections()).toBe(2);
      await setReadOnly(1);
      expect(await codeOf(transactions.commit([insert]))).toBe('ER_OPTION_PREVENTS_STATEMENT');
      await until('the end of the connection', async () => (await connections()) === 1);
      await setReadOnly(0);
      expect(await transactions.commit([insert])).toBe(true);
    } finally {
      await transactions.onApplicationShutdown();
    }
    expect(await dataSource.query('SELECT name FROM things')).toHaveLength(2);
  });

  it('loses the connection of a read-only transaction that tries to write', async () => {
    const before = await thread();
    const runner = dataSource.createQueryRunner();
    await runner.query('START TRANSACTION READ ONLY');
    expect(await codeOf(runner.query(INSERT))).toBe('ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION');
    await runner.release();
    expect(await thread()).not.toBe(before);
  });

  it('is not ready, and the connection that showed this is closed', async () => {
    await assertWritable(dataSource);
    const before = await thread();
    await setReadOnly(1);
    await expect(assertWritable(dataSource)).rejects.toThrow(
      'the database server is read-only (@@global.read_only)',
    );
    expect(await thread()).not.toBe(before);
    await setReadOnly(0);
    await assertWritable(dataSource);
  });
});
