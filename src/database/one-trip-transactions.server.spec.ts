import { DataSource, QueryFailedError } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { driverCodeOf } from './drivers/driver-errors';
import { type KnownStatement, OneTripTransactions } from './one-trip-transactions';

describeWithMariaDb('One-trip transactions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let transactions: OneTripTransactions;

  beforeEach(async () => {
    database = await createMariaDb();
    dataSource = await createDataSource(dataSourceOptions(parseDatabaseUrl(database.url), [])).initialize();
    await dataSource.query('CREATE TABLE things (name varchar(40) PRIMARY KEY)');
    transactions = new OneTripTransactions(dataSource);
  });

  afterEach(async () => {
    await transactions.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  const insert = (...names: string[]): KnownStatement => ({
    text: `INSERT INTO things (name) VALUES ${names.map(() => '(?)').join(', ')}`,
    values: names,
  });
  const rename = (from: string, to: string): KnownStatement => ({
    meetsOne: true,
    text: 'UPDATE things SET name = ? WHERE name = ?',
    values: [to, from],
  });
  const things = async (): Promise<string[]> =>
    (await dataSource.query<{ name: string }[]>('SELECT name FROM things ORDER BY name')).map(
      ({ name }) => name,
    );
  const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', driverCodeOf);

  it('commit all statements, with their values', async () => {
    await transactions.commit([insert('a', "b'; DROP TABLE things; -- ?"), rename('a', 'c')]);
    expect(await things()).toEqual(["b'; DROP TABLE things; -- ?", 'c']);
  });

  it('commit nothing if a statement fails, and leave the connection usable', async () => {
    await transactions.commit([insert('a')]);
    for (let i = 0; i < 5; i += 1)
      expect(await codeOf(transactions.commit([insert('b'), insert('a')]))).toBe('ER_DUP_ENTRY');
    await transactions.commit([insert('d')]);
    expect(await things()).toEqual(['a', 'd']);
  });

  it('commit nothing if a statement matches no row, and are disabled from then on', async () => {
    await transactions.commit([insert('a')]);
    expect(await transactions.commit([insert('d'), rename('a', 'e')])).toBe(true);
    expect(await transactions.commit([insert('b'), rename('nothing', 'c')])).toBe(false);
    expect(await things()).toEqual(['d', 'e']);
    expect(transactions.isPossible).toBe(false);
  });

  it('are the only way to send several statements at once', async () => {
    expect(await codeOf(dataSource.query('SELECT 1; SELECT 2'))).toBe('ER_PARSE_ERROR');
  });

  it('are disabled if the server accepts only one statement at a time', async () => {
    const options = { multipleStatements: false };
    const single = new OneTripTransactions(dataSource);
    // The response of such a server to several statements.
    Object.assign(single, { opening: Promise.resolve(Object.assign(dataSource, options)) });
    expect(await single.commit([insert('a')])).toBe(false);
    expect(single.isPossible).toBe(false);
    expect(await things()).toEqual([]);
  });

  it('fall back to the unit of work if the server refuses the connection', async () => {
    const { options } = dataSource;
    Object.assign(dataSource, { options: { ...options, password: 'wrong', username: 'nobody' } });
    expect(await transactions.commit([insert('a')])).toBe(false);
    expect(transactions.isPossible).toBe(true);
    Object.assign(dataSource, { options });
    expect(await transactions.commit([insert('b')])).toBe(true);
    expect(await things()).toEqual(['b']);
  });

  it('fail if the check of a connection times out, instead of waiting for the database once more', async () => {
    const failure = new QueryFailedError(
      'SELECT 1',
      undefined,
      Object.assign(new Error('no response'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }),
    );
    const hanging = { createQueryRunner: () => ({ connect: () => Promise.reject(failure) }) };
    const waiting = new OneTripTransactions(dataSource);
    Object.assign(waiting, { opening: Promise.resolve(hanging) });
    await expect(waiting.commit([insert('a')])).rejects.toBe(failure);
  });

  it('reconnect after the connection was lost', async () => {
    await transactions.commit([insert('a')]);
    const [{ id }] = (await dataSource.query<{ id: string }[]>(
      "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND command = 'Sleep' AND id <> CONNECTION_ID() ORDER BY id DESC",
    )) as [{ id: string }];
    await dataSource.query(`KILL ${Number(id)}`);
    await transactions.commit([insert('b')]).catch(() => undefined);
    await transactions.commit([insert('c')]);
    expect(await things()).toContain('c');
  });
});
