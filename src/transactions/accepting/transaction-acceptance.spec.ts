import type { FindOperator } from 'typeorm';
import type { AuditLog } from '../../audit/audit-log';
import type { DomainError } from '../../common/errors/domain-error';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import { relayerPaused } from '../../relayers/relayer.errors';
import type { LaneWorker } from '../lanes/lane-worker';
import { type AccountSpendingEntity } from '../spending/account-spending.entity';
import { bucketAt, SpendLimits } from '../spending/spend-limits';
import type { NewTransactions, TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { AccountLedger, AssignedNonce } from './account-ledger';
import { type Floor, NO_FLOOR } from './account-floors';
import { batchItems, keyOfItem } from './batch-items';
import { digestOf } from './idempotency-key';
import { MAX_WAIT_MS } from './late-checks';
import { TransactionAcceptance } from './transaction-acceptance';

const ACCOUNT = { networkType: 'evm', chainId: '1', address: '0x' } as const;
const FIVE_MINUTES = 300_000;

const relayerWith = (transactions: object): ActingRelayer =>
  ({ id: 'r', policies: { transactions } }) as unknown as ActingRelayer;

/** A relayer that was checked just now. */
const checked = (relayer: ActingRelayer) => ({
  ...{ relayer, account: ACCOUNT, checkedAt: performance.now() },
  check: () => Promise.resolve(relayer),
});

/** A query that finds nothing. */
const NO_ROWS = {
  select: () => NO_ROWS,
  addSelect: () => NO_ROWS,
  where: () => NO_ROWS,
  groupBy: () => NO_ROWS,
  getRawMany: () => Promise.resolve([]),
};
const LIMITED = relayerWith({ spend_limits: [{ per: '1h', max_value: '10' }] });

describe('TransactionAcceptance', () => {
  let spent: AccountSpendingEntity[];
  let inserted: TransactionEntity[];
  /** What earlier requests have stored. */
  let stored: TransactionEntity[];
  /** For each statement, the relayers and how many of their keys it looks up. */
  let lookups: [string, number][][];
  let whileSpendingIsRead: () => void;
  /** Called when a shared unit of work begins and ends. */
  let sharedUnit: (isOpen: boolean) => void;
  let acceptance: TransactionAcceptance;
  let ledger: { id: string; nextNonce: number; lowerings: number };

  beforeEach(() => {
    [spent, inserted, stored, lookups] = [[], [], [], []];
    ledger = { id: 'evm:1:0x', nextNonce: 0, lowerings: 0 };
    whileSpendingIsRead = () => undefined;
    sharedUnit = () => undefined;
    const spending = {
      findBy: () => {
        whileSpendingIsRead();
        return Promise.resolve([...spent]);
      },
      findOne: () => Promise.resolve(null),
      insert: (row: AccountSpendingEntity) => Promise.resolve(spent.push(row)),
    };
    const unitOfWork = {
      run: <T>(work: () => Promise<T>) => work(),
      runOnce: async (work: () => Promise<void>) => {
        sharedUnit(true);
        await work();
        sharedUnit(false);
        return true;
      },
      repository: () => spending,
      locksRows: false,
    } as unknown as UnitOfWork;
    acceptance = new TransactionAcceptance(
      unitOfWork,
      {
        lockAll: () => Promise.resolve([{ ...ledger }]),
        assign: ([assigned]: AssignedNonce[]) => {
          if (assigned) ledger = { ...ledger, nextNonce: assigned.nextNonce };
          return Promise.resolve();
        },
      } as unknown as AccountLedger,
      {
        repository: { createQueryBuilder: () => NO_ROWS },
        find: ({ where }: { where: { relayerId: string; idempotencyKey: FindOperator<string> }[] }) => {
          lookups.push(
            where.map(({ relayerId, idempotencyKey }) => [relayerId, idempotencyKey.value.length]),
          );
          const wanted = new Set(where.flatMap(({ idempotencyKey }) => idempotencyKey.value));
          return Promise.resolve(stored.filter((row) => wanted.has(row.idempotencyKey ?? '')));
        },
        insert: (groups: NewTransactions[]) =>
          Promise.resolve(inserted.push(...groups.flatMap(({ rows }) => rows as TransactionEntity[]))),
      } as unknown as TransactionRows,
      { wake: () => undefined } as unknown as LaneWorker,
      new SpendLimits(unitOfWork),
      { recordAll: () => Promise.resolve() } as unknown as AuditLog,
    );
  });

  afterEach(() => jest.useRealTimers());

  const submit = async (relayer: ActingRelayer, value: string, floor: Floor = NO_FLOOR) => {
    const isCounted = relayer === LIMITED;
    const request = { value, max_fee: null, ...(isCounted && { is_counted: true }) };
    const none = { idempotencyKey: null, earlierKey: null, digest: null, validUntil: null, metadata: null };
    const requests = [{ ...none, request }];
    const results = await acceptance.submit({ ...checked(relayer), floor, requests, atomic: false });
    if (!results) return 'outdated';
    return 'error' in results[0]! ? 'refused' : 'accepted';
  };

  describe('of requests that have waited for long', () => {
    const late = async (check: () => Promise<ActingRelayer>) => {
      const checkedAt = performance.now() - 2 * MAX_WAIT_MS;
      const none = { idempotencyKey: null, earlierKey: null, digest: null, validUntil: null, metadata: null };
      const requests = [{ ...none, request: { value: '1', max_fee: null } }];
      const own = { relayer: relayerWith({}), account: ACCOUNT, checkedAt, check };
      return acceptance.submit({ ...own, floor: NO_FLOOR, requests, atomic: false });
    };

    it('refuses what the current state of the relayer or the API key forbids, and calls no check in a shared unit', async () => {
      let duringUnit = false;
      sharedUnit = (isOpen) => (duringUnit = isOpen);
      const check = () => {
        expect(duringUnit).toBe(false);
        return Promise.reject(relayerPaused());
      };
      await expect(late(check)).rejects.toMatchObject({ code: 'relayer_paused' });
      expect(inserted).toEqual([]);
    });

    it('checks and stores each alone if the database fails meanwhile', async () => {
      const check = jest.fn(() => Promise.resolve(relayerWith({})));
      check.mockRejectedValueOnce(new Error('Deadlock'));
      expect(await late(check)).toMatchObject([{ isReplay: false }]);
      expect([check.mock.calls.length, inserted.length]).toEqual([2, 1]);
    });
  });

  it('counts spending in the five-minute bucket of the stored creation time', async () => {
    const end = FIVE_MINUTES * bucketAt(Date.now());
    jest.useFakeTimers({ now: end - 1, doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    whileSpendingIsRead = () => {
      jest.setSystemTime(end + 1);
    };
    expect(await submit(LIMITED, '10')).toBe('accepted');
    expect(spent.map(({ bucket }) => bucket)).toEqual(
      inserted.map(({ createdAt }) => bucketAt(createdAt.getTime())),
    );
  });

  it('applies to each request the limits it was checked with, whatever else shares its database transaction', async () => {
    const unlimited = relayerWith({});
    const results = [submit(unlimited, '1'), submit(unlimited, '11'), submit(LIMITED, '11')];
    expect(await Promise.all(results)).toEqual(['accepted', 'accepted', 'refused']);
    const others = [submit(unlimited, '1'), submit(LIMITED, '10'), submit(unlimited, '11')];
    expect(await Promise.all(others)).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('gives the transactions of one database transaction ids in the order of their nonces', async () => {
    const relayer = relayerWith({});
    await Promise.all(Array.from({ length: 30 }, () => submit(relayer, '1')));
    expect(inserted.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 30 }, (_, i) => i));
    const ids = inserted.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(30);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  describe.each([false, true])('a batch with a key that was used before (atomic: %s)', (atomic) => {
    const submitBatch = async (values: readonly string[], relayer = relayerWith({})) => {
      const bodies = values.map((value) => ({ value }));
      const requests = batchItems(bodies, 'k').map((item, i) => ({
        ...keyOfItem(item, bodies[i]!),
        ...{ validUntil: null, metadata: null },
        request: { value: values[i]!, max_fee: null, ...(relayer === LIMITED && { is_counted: true }) },
      }));
      const submission = { ...checked(relayer), floor: NO_FLOOR, requests, atomic };
      const results = await acceptance.submit(submission);
      return results?.map((result) => {
        if ('error' in result) return (result.error as DomainError).code;
        return result.isReplay ? `again ${result.transaction.nonce}` : result.transaction.nonce;
      });
    };
    const conflicts = (count: number) => Array<string>(count).fill('idempotency_conflict');

    it.each([
      [['1'], ['1', '2']],
      [['1', '2'], ['1']],
      [
        ['1', '2'],
        ['1', '2', '3'],
      ],
      [
        ['1', '2'],
        ['1', '3'],
      ],
    ])('stores nothing if %j was followed by %j', async (before, values) => {
      await submitBatch(before);
      stored = inserted.splice(0);
      expect(await submitBatch(values, LIMITED)).toEqual(conflicts(values.length));
      expect([inserted, spent, ledger.nextNonce]).toEqual([[], [], before.length]);
    });

    it('stores one of two that share a database transaction', async () => {
      const results = await Promise.all([submitBatch(['1']), submitBatch(['1', '2'])]);
      expect(results).toEqual([[0], conflicts(2)]);
      expect(inserted.map(({ nonce }) => nonce)).toEqual([0]);
    });

    it('returns the records of the same batch, also of one that an earlier version stored', async () => {
      const values = ['1', '2'];
      await submitBatch(values);
      stored = inserted.splice(0);
      expect(await submitBatch(values)).toEqual(['again 0', 'again 1']);
      for (const [i, row] of stored.entries()) row.requestDigest = digestOf({ value: values[i] });
      expect(await submitBatch(values)).toEqual(['again 0', 'again 1']);
      expect(inserted).toEqual([]);
    });
  });

  it('looks up idempotency keys in parts: databases accept a limited number of values in a statement', async () => {
    const request = { value: '0', max_fee: null };
    const none = { earlierKey: null, digest: 'd', validUntil: null, metadata: null };
    const requests = Array.from({ length: 100 }, (_, i) => ({ ...none, request, idempotencyKey: `${i}` }));
    const submission = { ...checked(relayerWith({})), floor: NO_FLOOR, requests, atomic: false };
    await Promise.all(Array.from({ length: 150 }, () => acceptance.submit(submission)));
    const counts = lookups.flat().map(([, count]) => count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15_000);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10_000);
  });

  it('raises a ledger only to a nonce that was read after it was last lowered', async () => {
    ledger = { ...ledger, nextNonce: 2, lowerings: 1 };
    const floors = [
      { nonce: 1_000_000, lowerings: 0 },
      { nonce: 2, lowerings: 0 },
      { nonce: 1_000_000, lowerings: 0 },
      { nonce: 7, lowerings: 1 },
    ];
    const results: string[] = [];
    for (const floor of floors) results.push(await submit(relayerWith({}), '1', floor));
    expect(results).toEqual(['outdated', 'accepted', 'outdated', 'accepted']);
    expect(inserted.map(({ nonce }) => nonce)).toEqual([2, 7]);
  });

  it('decides on others in the same database transaction as a request with an outdated nonce', async () => {
    ledger = { ...ledger, nextNonce: 2, lowerings: 1 };
    const outdated = { nonce: 1_000_000, lowerings: 0 };
    const results = [outdated, NO_FLOOR, outdated].map((floor) => submit(relayerWith({}), '1', floor));
    expect(await Promise.all(results)).toEqual(['outdated', 'accepted', 'outdated']);
    expect(inserted.map(({ nonce }) => nonce)).toEqual([2]);
  });
});
