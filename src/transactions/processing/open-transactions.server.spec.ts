import { DataSource } from 'typeorm';
import type { RowIntegrity } from '../../database/integrity/row-integrity';
import { createSqlite, type TestDatabase, withSchema } from '../../../test/support/databases';
import { ENTITIES } from '../../app/entities';
import { parseDatabaseUrl } from '../../config/database-url';
import { createDataSource, dataSourceOptions } from '../../database/data-source';
import { newTransaction } from '../new-transaction';
import type { RowQuery } from '../../database/integrity/protected-rows';
import type { TransactionRows } from '../transaction-rows';
import type { TransactionStatus } from '../transaction-status';
import { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { OpenTransactions } from './open-transactions';

const STATUSES: readonly TransactionStatus[] = ['mined', 'submitted', 'sent', 'pending', 'confirmed'];
/** The nonce of the account on its chain. */
const NONCE = 30;

describe('OpenTransactions', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let reads: number;
  let reported: string[];
  let open: OpenTransactions;

  beforeEach(async () => {
    database = await withSchema(createSqlite)();
    const options = dataSourceOptions(parseDatabaseUrl(database.url), ENTITIES);
    dataSource = await createDataSource(options).initialize();
    await dataSource.query('PRAGMA foreign_keys = OFF');
    reads = 0;
    reported = [];
    const repository = dataSource.getRepository(TransactionEntity);
    const findIntact = async (query: Omit<RowQuery<TransactionEntity>, 'lock'>) => {
      reads += 1;
      return { intact: await repository.find(query), altered: [] };
    };
    const integrity = { reportAltered: (_table: string, id: string) => reported.push(id) };
    open = new OpenTransactions(
      { repository, findIntact } as unknown as TransactionRows,
      integrity as unknown as RowIntegrity,
    );
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const context = (memory: LaneMemory): LaneContext =>
    ({
      relayer: { id: 'r', address: '0x' },
      ledger: { id: 'a' },
      view: { nonce: NONCE },
      memory,
    }) as unknown as LaneContext;

  /** Inserts transactions of an account in all states. */
  const insert = (accountId: string, count: number): Promise<unknown> =>
    dataSource.getRepository(TransactionEntity).insert(
      Array.from({ length: count }, (_, i) => {
        const status = STATUSES[i % STATUSES.length]!;
        return newTransaction({
          ...{ accountId, relayerId: 'r', sender: '0x', nonce: count - i, request: {} },
          ...{ status, openRelayerId: status === 'confirmed' ? null : 'r' },
        });
      }) as never,
    );

  const withMany = (): LaneMemory => Object.assign(new LaneMemory(), { hasMany: true });

  const read = async (memory: LaneMemory) => {
    const found = await open.read(context(memory));
    const noncesOf = (rows: TransactionEntity[]) => rows.map(({ nonce, status }) => `${nonce} ${status}`);
    return {
      mined: noncesOf(await found.mined(200, -1)),
      usedLater: noncesOf(await found.used(400, 20)),
      minedLater: noncesOf(await found.mined(200, 20)),
      used: noncesOf(await found.used(400, -1)),
      waiting: noncesOf(await found.waiting()),
      any: await found.any(),
    };
  };

  it('names the nonces of a few that are not mined, and of none if there are many', async () => {
    await insert('a', 10);
    const few = await open.read(context(new LaneMemory()));
    expect(few.nonces).toEqual([2, 3, 4, 7, 8, 9]);
    expect((await open.read(context(withMany()))).nonces).toEqual([]);
  });

  it('reads at most 16 MiB of those that are looked up on the chain together', async () => {
    const request = { data: `0x${'0'.repeat(2 * 1024 ** 2)}` };
    await dataSource.getRepository(TransactionEntity).insert(
      Array.from({ length: 24 }, (_, nonce) =>
        newTransaction({
          ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce, request },
          ...{ status: nonce < 12 ? 'mined' : 'submitted', openRelayerId: 'r' },
        }),
      ) as never,
    );
    const { mined, used } = await read(withMany());
    expect([mined.length, used.length]).toEqual([7, 7]);
    expect([mined[0], used[0]]).toEqual(['0 mined', '12 submitted']);
  });

  it('reads a few transactions with a single query, which finds the same as the queries for many', async () => {
    await insert('a', 50);
    const few = await read(new LaneMemory());
    expect(reads).toBe(1);
    expect(few).toEqual(await read(withMany()));
    expect(reads).toBe(6);
    expect([few.mined, few.used, few.waiting].map(({ length }) => length)).toEqual([10, 18, 12]);
    expect(few.any).toBe(true);
  });

  it('uses separate queries for many transactions, and a single one again when few are left', async () => {
    await insert('a', 100);
    const memory = new LaneMemory();
    const many = await read(memory);
    expect([many.mined.length, many.used.length, many.waiting.length]).toEqual([20, 18, 42]);
    expect(reads).toBe(6);
    expect(memory.hasMany).toBe(false);
    await dataSource.query('DELETE FROM transactions WHERE nonce > 40');
    await read(memory);
    expect(reads).toBe(7);
  });

  it.each([
    ['another account', { accountId: 'b' }],
    ['another relayer', { relayerId: 'other' }],
    ['another sender', { sender: '0x2' }],
  ])('omits and reports transactions of %s', async (_whose, of) => {
    const common = { accountId: 'a', relayerId: 'r', sender: '0x', request: {}, openRelayerId: 'r' };
    await dataSource
      .getRepository(TransactionEntity)
      .insert([
        newTransaction({ ...common, id: 'foreign', nonce: 40, ...of }),
        newTransaction({ ...common, id: 'own', nonce: 41 }),
      ] as never);
    for (const memory of [new LaneMemory(), withMany()]) {
      reported = [];
      expect(await read(memory)).toMatchObject({ waiting: ['41 pending'] });
      expect(reported).toContain('foreign');
      expect(reported).not.toContain('own');
    }
    expect((await open.unsent(context(new LaneMemory()), 100)).map(({ id }) => id)).toEqual(['own']);
  });

  it('finds nothing for an account that has only final transactions', async () => {
    const final = { status: 'confirmed' as const, openRelayerId: null, request: {} };
    await dataSource
      .getRepository(TransactionEntity)
      .insert(newTransaction({ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 1, ...final }) as never);
    expect(await read(new LaneMemory())).toEqual({
      mined: [],
      usedLater: [],
      minedLater: [],
      used: [],
      waiting: [],
      any: false,
    });
  });
});
