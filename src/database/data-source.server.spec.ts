import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { createMariaDb, describeWithMariaDb, type TestDatabase } from '../../test/support/databases';
import { ForgetfulProxy } from '../../test/support/forgetful-proxy';
import { until } from '../../test/support/private-servers';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from './data-source';
import { OneTripTransactions } from './one-trip-transactions';

describeWithMariaDb('Connections behind a gateway that forgets them', () => {
  let database: TestDatabase;
  let proxy: ForgetfulProxy;
  let dataSource: DataSource;

  const open = async (idleTimeout: number): Promise<DataSource> => {
    const options = dataSourceOptions(parseDatabaseUrl(proxy.url), []);
    const extra = { ...(options.extra as object), idleTimeout };
    return createDataSource({ ...options, extra }).initialize();
  };
  const burst = (size: number, seconds = 0.1): Promise<unknown[]> =>
    Promise.all(Array.from({ length: size }, () => dataSource.query('SELECT SLEEP(?)', [seconds])));

  beforeEach(async () => {
    database = await createMariaDb();
    proxy = await ForgetfulProxy.create(database.url);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await dataSource.destroy();
    await proxy.destroy();
    await database.drop();
  });

  it('are closed if they are unused, although others are used, so that a burst uses new ones', async () => {
    dataSource = await open(500);
    await burst(10);
    expect(proxy.connections).toBe(10);
    const use = setInterval(() => void dataSource.query('SELECT 1'), 100);
    try {
      await until('the end of unused connections', () => proxy.connections <= 1);
      proxy.forgetIdle();
      await burst(10);
    } finally {
      clearInterval(use);
    }
    expect(proxy.opened).toBeGreaterThan(10);
  });

  it('for transactions in one round trip are closed too', async () => {
    dataSource = await open(500);
    const transactions = new OneTripTransactions(dataSource);
    const nap = { text: 'DO SLEEP(0.1)', values: [] };
    const commitFour = () => Promise.all(Array.from({ length: 4 }, () => transactions.commit([nap])));
    try {
      expect(await commitFour()).toEqual([true, true, true, true]);
      expect(proxy.connections).toBeGreaterThanOrEqual(4);
      await until('the end of unused connections', () => proxy.connections === 0);
      expect(await commitFour()).toEqual([true, true, true, true]);
    } finally {
      await transactions.onApplicationShutdown();
    }
  });

  it('are closed under load without an error', async () => {
    dataSource = await open(0);
    const load = async (size: number): Promise<void> => {
      while (proxy.opened < 30) {
        await burst(size, 0.01);
        await sleep(size * 5);
      }
    };
    await Promise.all([1, 2, 3, 5, 8].map(load));
    expect(proxy.opened).toBeGreaterThanOrEqual(30);
  });

  it('are kept alive by the operating system', async () => {
    const keepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    dataSource = await open(60_000);
    expect(keepAlive.mock.calls).toContainEqual([true, 30_000]);
  });
});
