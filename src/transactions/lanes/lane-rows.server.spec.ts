import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { describeOnDatabases, type TestDatabase } from '../../../test/support/databases';
import { openDataSource } from '../../../test/support/open-data-source';
import { WorkerMetrics } from '../../background/worker.metrics';
import { UnitOfWork } from '../../database/unit-of-work';
import { AccountNonceEntity } from '../account-nonce.entity';
import { LaneRows } from './lane-rows';

const SECOND_MS = 1000;

describeOnDatabases('LaneRows', (createDatabase) => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let rows: LaneRows;

  beforeEach(async () => {
    database = await createDatabase();
    dataSource = await openDataSource(database);
    rows = new LaneRows(new UnitOfWork(dataSource), new WorkerMetrics(new Registry()));
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  /**
   * @param dueIn milliseconds; null for an account without work
   * @param comparedIn milliseconds until its last comparison with the chain
   */
  const add = (id: string, dueIn: number | null, comparedIn?: number) =>
    dataSource.getRepository(AccountNonceEntity).insert({
      ...{ id, networkType: 'evm', chainId: '1', address: id, relayerId: 'r', nextNonce: 0, changes: 0 },
      ...{
        dueAt: dueIn === null ? null : new Date(Date.now() + dueIn),
        comparedAt: comparedIn === undefined ? null : new Date(Date.now() + comparedIn),
      },
      createdAt: new Date(),
    });

  const claim = async (): Promise<string[]> => {
    const claims = await rows.claim({ limit: 10, since: undefined, full: [], admit: () => true });
    return claims.map(({ row }) => row.id);
  };

  it('makes an account due that was claimed before the clock was set back', async () => {
    await add('claimed', 6 * SECOND_MS);
    await add('idle', null);
    await add('stray', 3600 * SECOND_MS);
    expect(await claim()).toEqual(['stray']);
  });
  it('compares idle accounts after five minutes, and those that were compared before the clock was set back', async () => {
    await add('stray', null, 3600 * SECOND_MS);
    await add('old', null, -301 * SECOND_MS);
    await add('recent', null, -290 * SECOND_MS);
    await add('other clock', null, 50 * SECOND_MS);
    expect(await rows.compareIdle()).toBe(true);
    expect((await claim()).sort()).toEqual(['old', 'stray']);
    expect(await rows.compareIdle()).toBe(false);
  });
});
