import { UnitOfWork } from '../../src/database/unit-of-work';
import { newTransaction } from '../../src/transactions/new-transaction';
import { TransactionRetention } from '../../src/transactions/retention/transaction-retention';
import { AccountSpendingEntity } from '../../src/transactions/spending/account-spending.entity';
import { bucketAt } from '../../src/transactions/spending/spend-limits';
import { TransactionAttemptEntity } from '../../src/transactions/transaction-attempt.entity';
import { TransactionEntity } from '../../src/transactions/transaction.entity';
import { TestApplication } from '../support/application';
import { storageKey } from '../support/keys';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';

const DAY_MS = 86_400_000;
const KEY = { STORAGE_ENCRYPTION_KEY: storageKey(1) };

describeService('Retention of transactions', { startFor: 'none' }, ({ service, database, databaseName }) => {
  let nonce: number;
  let others: TestApplication[];

  beforeEach(() => {
    nonce = 0;
    others = [];
  });

  afterEach(() => Promise.all(others.map((other) => other.close())));

  const start = (days?: number): Promise<void> =>
    service.start(database, { ...KEY, ...(days && { TRANSACTION_RETENTION_DAYS: String(days) }) });

  const restart = async (days?: number): Promise<void> => {
    await service.close();
    await start(days);
  };

  const repositoryOf = <T extends object>(entity: new () => T) =>
    service.app.get(UnitOfWork).repository(entity);

  const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

  const add = async (count: number, finishedDaysAgo: number | null): Promise<string[]> => {
    const rows = Array.from({ length: count }, () =>
      newTransaction({
        ...{ accountId: 'evm:1:0x', relayerId: 'r', openRelayerId: null, sender: '0x', request: {} },
        ...{
          nonce: nonce++,
          status: finishedDaysAgo === null ? ('submitted' as const) : ('confirmed' as const),
        },
        ...{ finishedAt: finishedDaysAgo === null ? null : ago(finishedDaysAgo), createdAt: ago(90) },
      }),
    );
    await repositoryOf(TransactionEntity).insert(rows as object[]);
    const attempts = rows.flatMap(({ id: transactionId, nonce: own }) =>
      [1, 2].map((number) => ({
        ...{ transactionId, number, kind: 'request' as const, nonce: own, hash: `0x${own}${number}` },
        ...{ raw: '0x02', content: {}, acknowledgedAt: null, createdAt: ago(90) },
      })),
    );
    await repositoryOf(TransactionAttemptEntity).insert(attempts);
    return rows.map(({ id }) => id);
  };

  const purgeFailures = (): string[] =>
    [service, ...others].flatMap(({ logs }) => logs.filter((line) => line.includes('could not be purged')));

  it('purges only transactions that were final long ago, with their attempts', async () => {
    await start();
    await add(250, 2.1);
    const kept = [...(await add(3, 1.9)), ...(await add(2, null))];
    await restart(2);
    if (databaseName !== 'SQLite')
      others.push(await TestApplication.start(database, { ...KEY, TRANSACTION_RETENTION_DAYS: '2' }));
    await until('the purge', async () => (await repositoryOf(TransactionEntity).count()) === kept.length);
    const left = await repositoryOf(TransactionEntity).find();
    expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
    const attempts = await repositoryOf(TransactionAttemptEntity).find();
    expect(attempts).toHaveLength(2 * kept.length);
    expect(attempts.map(({ raw }) => raw)).toEqual(attempts.map(() => '0x02'));
    expect(purgeFailures()).toEqual([]);
  });

  it('keeps transactions forever if no time is set, but not spending that no limit counts', async () => {
    await start();
    const kept = await add(3, 5000);
    const now = Date.now();
    const accounts = Array.from({ length: 130 }, (_, i) => `evm:1:${i}`);
    const rows = (days: number): AccountSpendingEntity[] =>
      accounts.map((accountId) => ({
        accountId,
        bucket: bucketAt(now - days * DAY_MS),
        value: '1',
        fee: '2',
      }));
    for (const days of [7.9, 8.1, 30]) await repositoryOf(AccountSpendingEntity).insert(rows(days));
    await restart();
    await until('the purge', async () => (await repositoryOf(AccountSpendingEntity).count()) === 130);
    const buckets = (await repositoryOf(AccountSpendingEntity).find()).map(({ bucket }) => bucket);
    expect(new Set(buckets)).toEqual(new Set([bucketAt(now - 7.9 * DAY_MS)]));
    expect(await repositoryOf(TransactionEntity).count()).toBe(kept.length);
    expect(purgeFailures()).toEqual([]);
  });

  it('removes the signed bytes before the record', async () => {
    await start();
    const [id] = await add(1, 10);
    const unitOfWork = service.app.get(UnitOfWork);
    const run = jest.spyOn(unitOfWork, 'run');
    run.mockImplementationOnce((work) => work()).mockRejectedValueOnce(new Error('stopped in between'));
    const retention = service.app.get(TransactionRetention);
    await expect(retention.purgeTransactions(ago(1))).rejects.toThrow('stopped in between');
    const attempts = await repositoryOf(TransactionAttemptEntity).findBy({ transactionId: id! });
    expect(attempts.map(({ raw }) => raw)).toEqual([null, null]);
    expect(await repositoryOf(TransactionEntity).existsBy({ id: id! })).toBe(true);
    run.mockRestore();
    expect(await retention.purgeTransactions(ago(1))).toBe(true);
    expect(await retention.purgeTransactions(ago(1))).toBe(false);
    expect(await repositoryOf(TransactionAttemptEntity).count()).toBe(0);
  });
});
