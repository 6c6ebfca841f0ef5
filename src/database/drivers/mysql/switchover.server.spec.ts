import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { describeWithMariaDb } from '../../../../test/support/databases';
import { PrivateMariaDb } from '../../../../test/support/private-servers';
import { SwitchingProxy } from '../../../../test/support/switching-proxy';
import { parseDatabaseUrl } from '../../../config/database-url';
import { assertWritable } from '../../assert-writable';
import { createDataSource, dataSourceOptions } from '../../data-source';
import { OneTripTransactions } from '../../one-trip-transactions';
import { driverCodeOf } from '../driver-errors';

const INSERT = "INSERT INTO things (name) VALUES ('a')";
const WRITE = [{ text: INSERT, values: [] }];
const READ_ONLY = 'ER_OPTION_PREVENTS_STATEMENT';
/** A connection that has just been checked is not checked again for a second. */
const CHECKED_MS = 1_050;

describeWithMariaDb('A switchover', () => {
  let servers: [former: PrivateMariaDb, next: PrivateMariaDb];
  let url: string;
  let proxy: SwitchingProxy;
  let dataSource: DataSource;
  let transactions: OneTripTransactions;

  const setReadOnly = (value: 0 | 1): Promise<void> =>
    servers[0].administer(`SET GLOBAL read_only = ${value}`);
  const codeOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'none', driverCodeOf);
  /** The ports of the servers that several concurrent reads reach, each on a connection of its own. */
  const portsOfReads = async (): Promise<number[]> => {
    const reads = Array.from({ length: 5 }, () =>
      dataSource.query<[{ port: string | number }]>('SELECT @@port AS port, SLEEP(0.05)'),
    );
    return [...new Set((await Promise.all(reads)).map(([{ port }]) => Number(port)))];
  };

  beforeAll(async () => {
    servers = [await PrivateMariaDb.create(), await PrivateMariaDb.create()];
    url = await servers[0].createRelayer();
    await servers[1].createRelayer();
    for (const server of servers) await server.administer('CREATE TABLE relayer.things (name varchar(9))');
  });

  afterAll(async () => {
    for (const server of servers) await server.destroy();
  });

  beforeEach(async () => {
    await setReadOnly(0);
    proxy = await SwitchingProxy.create(url);
    dataSource = await createDataSource(dataSourceOptions(parseDatabaseUrl(proxy.url), [])).initialize();
    transactions = new OneTripTransactions(dataSource);
    // The connections were opened one after the other, so that the first are checked once more.
    for (let i = 0; i < 2; i += 1) {
      expect(await portsOfReads()).toEqual([servers[0].port]);
      await sleep(CHECKED_MS);
    }
  });

  afterEach(async () => {
    await transactions.onApplicationShutdown();
    await dataSource.destroy();
    await proxy.destroy();
  });

  it('lets no read reach the former primary once a transaction has reached the new one', async () => {
    expect(await transactions.commit(WRITE)).toBe(true);
    await setReadOnly(1);
    proxy.leadTo(servers[1].port);
    await codeOf(transactions.commit(WRITE));
    expect(await transactions.commit(WRITE)).toBe(true);
    expect(await portsOfReads()).toEqual([servers[1].port]);
  });

  it('lets no read reach the former primary, even over connections that were checked just before', async () => {
    await dataSource.query('SELECT 1');
    // A new connection has the others checked.
    expect(await transactions.commit(WRITE)).toBe(true);
    expect(await portsOfReads()).toEqual([servers[0].port]);
    await setReadOnly(1);
    proxy.leadTo(servers[1].port);
    await codeOf(transactions.commit(WRITE));
    expect(await transactions.commit(WRITE)).toBe(true);
    expect(await portsOfReads()).toEqual([servers[1].port]);
  });

  it('lets no read reach the former primary, even if that has refused nothing', async () => {
    await setReadOnly(1);
    proxy.leadTo(servers[1].port);
    expect(await portsOfReads()).toEqual([servers[0].port]);
    expect(await transactions.commit(WRITE)).toBe(true);
    expect(await portsOfReads()).toEqual([servers[1].port]);
  });

  it('lets no read reach the former primary once readiness has found it read-only', async () => {
    await setReadOnly(1);
    proxy.leadTo(servers[1].port);
    await expect(assertWritable(dataSource)).rejects.toThrow('read-only');
    expect(await portsOfReads()).toEqual([servers[1].port]);
  });

  it('replaces connections that were opened while the former primary was read-only', async () => {
    await setReadOnly(1);
    expect(await codeOf(transactions.commit(WRITE))).toBe(READ_ONLY);
    expect(await portsOfReads()).toEqual([servers[0].port]);
    proxy.leadTo(servers[1].port);
    await sleep(CHECKED_MS);
    expect(await portsOfReads()).toEqual([servers[1].port]);
  });

  it('does not connect for each statement while the only server is read-only', async () => {
    await setReadOnly(1);
    expect(await codeOf(dataSource.query(INSERT))).toBe(READ_ONLY);
    const before = proxy.opened;
    const begin = performance.now();
    for (let i = 0; i < 100; i += 1) await dataSource.query('SELECT name FROM things');
    const rounds = 1 + Math.floor((performance.now() - begin) / 1_000);
    expect(proxy.opened - before).toBeLessThanOrEqual(10 * rounds);
    await setReadOnly(0);
    await dataSource.query(INSERT);
  });

  it('does not interrupt a transaction', async () => {
    const work = dataSource.transaction(async (manager) => {
      const thread = () => manager.query<unknown>('SELECT CONNECTION_ID() AS id');
      const before = await thread();
      await setReadOnly(1);
      proxy.leadTo(servers[1].port);
      await expect(assertWritable(dataSource)).rejects.toThrow('read-only');
      expect(await portsOfReads()).toEqual([servers[1].port]);
      expect(await thread()).toEqual(before);
      await manager.query(INSERT);
    });
    expect(await codeOf(work)).toBe(READ_ONLY);
    expect(await portsOfReads()).toEqual([servers[1].port]);
  });

  it('costs no further statement as long as nothing indicates one', async () => {
    const statements = async (): Promise<number> => {
      const statement = "SHOW SESSION STATUS LIKE 'Questions'";
      const [{ Value }] = await dataSource.query<[{ Value: string }]>(statement);
      return Number(Value);
    };
    const before = await statements();
    for (let i = 0; i < 10; i += 1) await dataSource.query('SELECT 1');
    expect(await statements()).toBe(before + 11);
  });
});
