import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeOnEmptyDatabases, type TestDatabase } from '../../test/support/databases';
import { numberRows } from '../../test/support/number-rows';
import { parseDatabaseUrl } from '../config/database-url';
import { createDataSource, dataSourceOptions } from '../database/data-source';
import { UnitOfWork } from '../database/unit-of-work';
import { type Claim, LeasedRows } from './leased-rows';
import { WorkerMetrics } from './worker.metrics';

@Entity('jobs')
class Job {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 36 })
  team!: string;

  @Column('datetime', { name: 'due_at', precision: 6, nullable: true })
  dueAt!: Date | null;

  @Column('int')
  result!: number;
}

const TABLE = `CREATE TABLE jobs (id varchar(36) PRIMARY KEY, team varchar(36) NOT NULL,
  due_at datetime(6) NULL, result int NOT NULL)`;

/** A process with its own connections. */
class Instance {
  static async open(url: string): Promise<Instance> {
    return new Instance(await createDataSource(dataSourceOptions(parseDatabaseUrl(url), [Job])).initialize());
  }

  readonly registry = new Registry();
  readonly unitOfWork: UnitOfWork;
  readonly rows: LeasedRows<Job, Pick<Job, 'id' | 'team'>>;

  constructor(
    readonly dataSource: DataSource,
    withoutTime: 'due' | 'finished' = 'finished',
  ) {
    this.unitOfWork = new UnitOfWork(dataSource);
    this.rows = new LeasedRows(this.unitOfWork, new WorkerMetrics(this.registry), {
      entity: Job,
      worker: 'jobs',
      dueAt: 'dueAt',
      withoutTime,
      dueWithin: [{ ms: 3_600_000 }, { ms: 60_000, where: { team: 'hasty' } }],
      candidate: ['team'],
    });
  }

  claim(limit = 100, more: Partial<Parameters<typeof this.rows.claim>[0]> = {}) {
    return this.rows.claim({ limit, lease: inSeconds(60), ...more });
  }

  async metric(name: string): Promise<string> {
    return this.registry.getSingleMetricAsString(name);
  }
}

/**
 * Whether a transaction waits for another's lock. The server only updates this table if it has not been queried for 100
 * ms.
 */
const waitsForLock = async (dataSource: DataSource): Promise<boolean> => {
  const waits: unknown[] = await dataSource.query(
    "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
  );
  return waits.length > 0;
};

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

describeOnEmptyDatabases('LeasedRows', (createDatabase, databaseName) => {
  let database: TestDatabase;
  let instance: Instance;
  let others: Instance[];

  beforeEach(async () => {
    database = await createDatabase();
    instance = await Instance.open(database.url);
    others = [];
    await instance.dataSource.query(TABLE);
  });

  afterEach(async () => {
    for (const { dataSource } of [instance, ...others])
      if (dataSource.isInitialized) await dataSource.destroy();
    await database.drop();
  });

  const another = async (): Promise<Instance> => {
    const opened = await Instance.open(database.url);
    others.push(opened);
    return opened;
  };

  const add = (id: string, dueAt: Date | null, team = 'one') =>
    instance.dataSource.manager.insert(Job, { id, team, dueAt, result: 0 });

  const stored = (id: string) => instance.dataSource.manager.findOneByOrFail(Job, { id });

  const idsOf = (claims: { row: { id: string } }[]): string[] => claims.map(({ row }) => row.id);

  it('claims due rows once, oldest first', async () => {
    await add('later', inSeconds(60));
    await add('finished', null);
    await add('second', inSeconds(-1));
    await add('first', inSeconds(-2));
    const claims = await instance.claim();
    expect(idsOf(claims)).toEqual(['first', 'second']);
    for (const { row, lease } of claims) expect((await stored(row.id)).dueAt).toEqual(lease);
    expect(await instance.claim()).toEqual([]);
    expect(await instance.metric('background_rows_claimed_total')).toContain('{worker="jobs"} 2');
  });

  it('claims rows without a due time first if that means due', async () => {
    const eager = new Instance(instance.dataSource, 'due');
    await add('dated', inSeconds(-1));
    await add('at once', null);
    expect(idsOf(await eager.claim(1))).toEqual(['at once']);
    expect(idsOf(await eager.claim())).toEqual(['dated']);
  });

  it('reads no more candidates than the limit, among those that meet the conditions, and claims the chosen ones', async () => {
    for (let i = 0; i < 9; i += 1) await add(`${i}`, inSeconds(i - 60), ['a', 'b', 'c'][i % 3]);
    const seen: unknown[] = [];
    const claims = await instance.claim(4, {
      where: [{ team: 'a' }, { team: 'b' }],
      choose: (candidates) => {
        seen.push(...candidates.map(({ id, team }) => ({ id, team })));
        return candidates.filter(({ id }) => id !== '1');
      },
    });
    expect(seen).toEqual([
      { id: '0', team: 'a' },
      { id: '1', team: 'b' },
      { id: '3', team: 'a' },
      { id: '4', team: 'b' },
    ]);
    expect(idsOf(claims)).toEqual(['0', '3', '4']);
    expect(idsOf(await instance.claim(1))).toEqual(['1']);
  });

  it('skips rows that became due before a given time, but not rows without a due time', async () => {
    const eager = new Instance(instance.dataSource, 'due');
    await add('early', inSeconds(-60));
    await add('late', inSeconds(-1));
    await add('at once', null);
    expect(idsOf(await eager.claim(10, { since: inSeconds(-30) }))).toEqual(['at once', 'late']);
    expect(idsOf(await eager.claim())).toEqual(['early']);
  });

  it('does not claim rows that were claimed or deleted between reading and claiming', async () => {
    await add('claimed', inSeconds(-3));
    await add('deleted', inSeconds(-2));
    await add('left', inSeconds(-1));
    const claims = await instance.claim(10, {
      choose: async (candidates) => {
        expect(idsOf(await instance.claim(1))).toEqual(['claimed']);
        await instance.dataSource.manager.delete(Job, { id: 'deleted' });
        return candidates;
      },
    });
    expect(idsOf(claims)).toEqual(['left']);
  });

  it('claims a row again once its lease has expired, and drops the result of the first claim', async () => {
    await add('a', inSeconds(-1));
    const [stale] = await instance.claim(1, { lease: new Date(Date.now() - 1) });
    const [fresh] = await instance.claim();
    expect(await instance.rows.complete(stale!, { result: 1, dueAt: null })).toBe(false);
    expect(await stored('a')).toMatchObject({ result: 0, dueAt: fresh!.lease });
    expect(await instance.rows.complete(fresh!, { result: 2, dueAt: null })).toBe(true);
    expect(await stored('a')).toMatchObject({ result: 2, dueAt: null });
    expect(await instance.rows.complete(fresh!, { result: 3 })).toBe(false);
    expect(await instance.metric('background_lost_results_total')).toContain('{worker="jobs"} 2');
  });

  it('saves a result only if the additional conditions hold', async () => {
    await add('a', inSeconds(-1));
    const [claim] = await instance.claim();
    expect(await instance.rows.complete(claim!, { result: 1 }, { team: 'other' })).toBe(false);
    expect(await instance.rows.complete(claim!, { result: 1 }, { team: 'one' })).toBe(true);
    expect(await stored('a')).toMatchObject({ result: 1, dueAt: claim!.lease });
  });

  it('does not count a result as lost in a unit of work that is rolled back', async () => {
    await add('a', inSeconds(-1));
    const [claim] = await instance.claim();
    await instance.rows.complete(claim!, { dueAt: null });
    const work = instance.unitOfWork.run(async () => {
      expect(await instance.rows.complete(claim!, { dueAt: null })).toBe(false);
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    expect(await instance.metric('background_lost_results_total')).toContain('{worker="jobs"} 0');
  });

  it.each<[string, (rows: Instance['rows'], claim: Claim<Job>) => Promise<unknown>]>([
    ['saves a result', (rows, claim) => rows.complete(claim, { dueAt: null })],
    ['releases a claim', (rows, claim) => rows.release(claim)],
  ])('%s even if the server aborts its statement because of a deadlock', async (_, change) => {
    if (databaseName === 'SQLite') return;
    const { dataSource } = instance;
    await add('a', inSeconds(-1));
    const [claim] = await instance.claim();
    await dataSource.query('CREATE TABLE gate (id int PRIMARY KEY, passed int NOT NULL)');
    await dataSource.query('INSERT INTO gate VALUES (0, 0)');
    // Every change of a job needs the gate as well.
    const pass = 'UPDATE gate SET passed = passed + 1 WHERE id = 0';
    await dataSource.query(`CREATE TRIGGER pass BEFORE UPDATE ON jobs FOR EACH ROW ${pass}`);
    const { changing } = await dataSource.transaction(async (manager) => {
      // The server ends the transaction that has written less.
      await manager.query(`INSERT INTO gate SELECT seq, 0 FROM (${numberRows(1, 100)}) AS n`);
      await manager.query(pass);
      const changing = change(instance.rows, claim!);
      changing.catch(() => undefined);
      do await sleep(200);
      while (!(await waitsForLock(dataSource)));
      await manager.update(Job, { id: 'a' }, { result: 1 });
      // Not awaited here, because it waits for this transaction.
      return { changing };
    });
    await changing;
    expect(await stored('a')).toMatchObject({ result: 1 });
    expect((await stored('a')).dueAt).not.toEqual(claim!.lease);
  });

  it('releases a claim unless it is no longer valid', async () => {
    await add('a', inSeconds(-1));
    const [first] = await instance.claim();
    await instance.rows.release(first!);
    const [second] = await instance.claim();
    expect(second?.row.id).toBe('a');
    await instance.rows.complete(second!, { dueAt: null });
    await instance.rows.release(second!);
    await instance.rows.release(first!);
    expect((await stored('a')).dueAt).toBeNull();
  });

  it('lets only one of several concurrent claimers claim each row', async () => {
    // A SQLite file is only used by a single process.
    const instances = databaseName === 'SQLite' ? [instance] : [instance, await another(), await another()];
    for (let i = 0; i < 200; i += 1) await add(`${i}`, inSeconds(-1));
    const claimed: string[] = [];
    const claimAll = async (by: Instance): Promise<void> => {
      while (claimed.length < 200) claimed.push(...idsOf(await by.claim(7)));
    };
    await Promise.all([...instances, ...instances].map(claimAll));
    expect(claimed).toHaveLength(200);
    expect(new Set(claimed).size).toBe(200);
  });

  it('skips rows that others have locked', async () => {
    if (databaseName === 'SQLite') return;
    const other = await another();
    await add('held', inSeconds(-2));
    await add('free', inSeconds(-1));
    const transaction = other.dataSource.createQueryRunner();
    await transaction.startTransaction();
    await transaction.manager.update(Job, { id: 'held' }, { result: 1 });
    expect(idsOf(await instance.claim())).toEqual(['free']);
    await transaction.commitTransaction();
    await transaction.release();
    expect(idsOf(await instance.claim())).toEqual(['held']);
  });

  it('claims rows that are due too late, because they were claimed before the clock was set back', async () => {
    await add('late', inSeconds(86_400));
    await add('hasty', inSeconds(1800), 'hasty');
    await add('leased', inSeconds(60), 'hasty');
    await add('patient', inSeconds(1800));
    await add('finished', null);
    expect(idsOf(await instance.claim()).sort()).toEqual(['hasty', 'late']);
  });

  it('looks for rows that are due too late once a minute, and again at once if there are many', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const addMany = async (name: string, count: number): Promise<void> => {
      const one = { team: 'one', dueAt: inSeconds(86_400), result: 0 };
      const rows = Array.from({ length: count }, (_, i) => ({ ...one, id: `${name} ${i}` }));
      await instance.dataSource.manager.insert(Job, rows);
    };
    await addMany('first', 700);
    expect(await instance.claim(1000)).toHaveLength(500);
    expect(await instance.claim(1000)).toHaveLength(200);
    await addMany('second', 1);
    now.mockReturnValue(59_999);
    expect(await instance.claim()).toEqual([]);
    now.mockReturnValue(60_000);
    expect(idsOf(await instance.claim())).toEqual(['second 0']);
    now.mockRestore();
  });

  const lag = (): Promise<string> =>
    new Instance(instance.dataSource).metric('background_oldest_due_seconds');

  it('exposes how long the oldest due row has waited, and 0 if none is due', async () => {
    expect(await lag()).toMatch(/\{worker="jobs"\} 0$/m);
    await add('finished', null);
    await add('later', inSeconds(60));
    expect(await lag()).toMatch(/\{worker="jobs"\} 0$/m);
    for (const seconds of [-10, -86_000, -30]) await add(`${seconds}`, inSeconds(seconds));
    expect(await lag()).toMatch(/\{worker="jobs"\} 860\d\d(\.\d+)?$/m);
  });

  it('does not expose the waiting time without a database', async () => {
    await instance.dataSource.destroy();
    expect(await lag()).not.toMatch(/^background_oldest_due_seconds\{/m);
  });
});
