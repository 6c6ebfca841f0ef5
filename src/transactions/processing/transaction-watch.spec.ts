import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import type { AttemptContent, FinalCandidate, Inclusion, Signature } from '../../chains/transaction-chain';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { UnitOfWork } from '../../database/unit-of-work';
import { separateUnits } from '../../../test/support/separate-units';
import type { AccountLedger } from '../accepting/account-ledger';
import { newTransaction } from '../new-transaction';
import type { NonceEvents } from '../nonce-events';
import type { TransactionEntity } from '../transaction.entity';
import type { SpendLimits } from '../spending/spend-limits';
import type { TransactionMetrics } from '../transaction.metrics';
import type { Decision, TransactionChanges, TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { NonceTakers } from './nonce-takers';
import { TransactionWatch } from './transaction-watch';

const CONFIG = { get: () => ({ unknownUseMs: 600_000 }) } as unknown as ConfigService<AppConfig, true>;
const LEDGER = { id: 'a', address: '0x', relayerId: 'r', nextNonce: 7, chainId: '10' };
const spending = { settle: () => Promise.resolve() } as unknown as SpendLimits;
const signature = (r: string): Signature => ({ r: r.repeat(64), s: '5'.repeat(64), v: 27 });
const attempt = (hash: string, r: string) =>
  ({ hash, kind: 'request', value: '1', signature: signature(r) }) as AttemptContent;

const watchOf = (
  unitOfWork: UnitOfWork,
  rows: TransactionRows,
  ledger: AccountLedger,
  events: NonceEvents,
  metrics: TransactionMetrics,
): TransactionWatch => {
  const takers = new NonceTakers(unitOfWork, rows, ledger, spending, events, metrics, CONFIG);
  return new TransactionWatch(separateUnits, rows, spending, metrics, takers);
};

/** Reads transactions, lowest nonce first, at most so many together as if more were too large. */
const inParts =
  (rows: readonly TransactionEntity[], most = 1) =>
  (_limit: number, after: number): Promise<TransactionEntity[]> =>
    Promise.resolve(rows.filter(({ nonce }) => nonce > after).slice(0, most));

const INCLUSION: Inclusion = {
  ...{ hash: '0x1', block_number: 50, block_hash: '0xb', succeeded: true },
  ...{ gas_used: '21000', fee: '1' },
};

/**
 * Checks a transaction that was mined deeply enough.
 *
 * @param inclusion of its receipt; null if it has disappeared
 * @param agreed the hashes whose inclusion most endpoints report
 * @param fee the fee that most endpoints report
 * @returns the changes, the executed request that determined why it failed, and the inclusions that endpoints compared
 */
async function confirmMined(
  given: Partial<TransactionEntity>,
  inclusion: Inclusion | null = INCLUSION,
  reason = 'no',
  agreed: readonly string[] = ['0x1'],
  fee = INCLUSION.fee,
) {
  const changes: TransactionChanges[] = [];
  const executed: unknown[] = [];
  const compared: Inclusion[] = [];
  const row = newTransaction({
    ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
    ...{ status: 'mined', attempt: attempt('0x1', 'a'), hashes: ['0x1'] },
    inclusion: inclusion ?? INCLUSION,
    ...given,
  });
  const rows = {
    changeAll: (decisions: Decision[]) => {
      changes.push(...decisions.map((decision) => decision.changes));
      return Promise.resolve([]);
    },
    bytesOf: (_id: string, hash: string) => Promise.resolve(hash === 'purged' ? null : hash),
  } as unknown as TransactionRows;
  const metrics = { countRepair: () => undefined } as unknown as TransactionMetrics;
  const none = {} as never;
  const watch = watchOf(none, rows, none, none, metrics);
  const context = {
    ...{ ledger: LEDGER, relayer: { id: 'r' }, view: { head: 100, nonce: 1, reported: 1 } },
    memory: {
      settled: () => undefined,
      ...{ hasLasted: () => true, mayTry: () => true },
      forget: () => undefined,
      depths: new Map(),
    },
    chain: {
      ...{ requiredConfirmations: 12, subjectOf: () => ({}) },
      isSignedForm: (raw: string) => raw !== 'content before a PUT',
      inclusionsOfHalf: () => Promise.resolve([]),
      inclusions: () => Promise.resolve(new Map(inclusion ? [['0x1', inclusion]] : [])),
      agreedFinal: (address: string, candidates: FinalCandidate[]) => {
        expect(address).toBe(row.sender);
        const { nonce, hashes } = row;
        for (const candidate of candidates)
          expect(candidate).toMatchObject({ nonce, hashes, attempt: row.attempt });
        compared.push(...candidates.map((candidate) => candidate.inclusion));
        const isRead = candidates.every((candidate) => candidate.isRead);
        return Promise.resolve(
          new Map(isRead ? agreed.map((hash) => [hash, { ...INCLUSION, ...inclusion, fee }]) : []),
        );
      },
      revertOf: (_sender: string, request: object) => {
        executed.push(request);
        return Promise.resolve({ reason, data: '0x' });
      },
    },
  } as unknown as LaneContext;
  const areBlocksGone = await watch.confirm(context, inParts([row]));
  return { changes, executed, compared, areBlocksGone };
}

describe('TransactionWatch', () => {
  it('stores a mined transaction even if the search for the one that used another nonce fails', async () => {
    const changed: [string, string | undefined][] = [];
    const rows = {
      changeAll: (decisions: Decision[]) => {
        changed.push(
          ...decisions.map(({ row, changes }): [string, string | undefined] => [row.id, changes.status]),
        );
        return Promise.resolve([]);
      },
    } as unknown as TransactionRows;
    const none = {} as never;
    const watch = watchOf(none, rows, none, none, none);
    const [lost, mined] = [0, 1].map((nonce) =>
      newTransaction({
        ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
        ...{ status: 'submitted', attempt: attempt(`0x${nonce}`, 'a'), hashes: [`0x${nonce}`] },
        needsAttempt: false,
      }),
    ) as [TransactionEntity, TransactionEntity];
    const context = {
      ...{ ledger: LEDGER, relayer: { id: 'r' }, view: { head: 100, nonce: 2, reported: 2 } },
      memory: Object.assign(new LaneMemory(() => 0), { hasLastedUse: () => true }),
      chain: {
        inclusionsOfHalf: () => Promise.resolve([]),
        inclusions: () => Promise.resolve(new Map([['0x1', INCLUSION]])),
        findMined: () => Promise.reject(new Error('No node can tell')),
      },
    } as unknown as LaneContext;
    await expect(watch.findMined(context, inParts([lost, mined], 2))).rejects.toThrow('No node can tell');
    expect(changed).toEqual([['t1', 'mined']]);
  });

  it('continues if no node responds to a search, and searches again after a pause, for other transactions first', async () => {
    const time = { now: 0 };
    const searched: number[] = [];
    const none = {} as never;
    const watch = watchOf(none, none, none, none, none);
    const rows = [0, 1].map((nonce) =>
      newTransaction({
        ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
        ...{ status: 'submitted', attempt: attempt(`0x${nonce}`, 'a'), hashes: [`0x${nonce}`] },
      }),
    );
    const context = {
      ...{ ledger: LEDGER, relayer: { id: 'r' }, view: { head: 100, nonce: 2, reported: 2 } },
      memory: new LaneMemory(() => time.now),
      chain: {
        inclusionsOfHalf: () => Promise.resolve([]),
        inclusions: () => Promise.resolve(new Map()),
        agreedCurrentNonce: () => Promise.resolve(2),
        findMined: (_address: string, nonce: number) => {
          searched.push(nonce);
          return Promise.reject(new RpcUnavailableError('timeout'));
        },
      },
    } as unknown as LaneContext;
    await watch.findMined(context, inParts(rows));
    time.now = 20_000;
    await watch.findMined(context, inParts(rows));
    await watch.findMined(context, inParts(rows));
    time.now += 500;
    await watch.findMined(context, inParts(rows));
    expect(searched).toEqual([0, 1, 0]);
  });

  describe('a queued request that nothing was signed for', () => {
    /** Follows the chain at 5 s intervals, with these nonces. @returns the new nonces, and how often endpoints were compared */
    async function follow(reported: readonly number[], agreed: number, queued = 1) {
      const time = { now: 0 };
      const moved: unknown[] = [];
      let compared = 0;
      const rows = Array.from({ length: queued }, (_, nonce) =>
        newTransaction({
          ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
          ...{ status: 'pending', hashes: [] },
        }),
      );
      const watch = watchOf(
        { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork,
        {
          findToChange: (id: string) => Promise.resolve(rows.find((row) => row.id === id)),
          changeProtected: (_row: unknown, { nonce }: Partial<TransactionEntity>) =>
            Promise.resolve(moved.push(nonce)),
        } as unknown as TransactionRows,
        {
          findToChange: () => Promise.resolve(LEDGER),
          assign: () => Promise.resolve(),
        } as unknown as AccountLedger,
        { record: () => Promise.resolve() } as unknown as NonceEvents,
        { countRepair: () => undefined } as unknown as TransactionMetrics,
      );
      const memory = new LaneMemory(() => time.now);
      for (const [i, nonce] of reported.entries()) {
        const context = {
          ...{ ledger: LEDGER, relayer: { id: 'r' }, memory },
          view: { head: 100 + 2 * i, nonce, reported: nonce },
          chain: {
            inclusionsOfHalf: () => Promise.resolve([]),
            inclusions: () => Promise.resolve(new Map()),
            findMined: () => Promise.resolve(null),
            agreedCurrentNonce: () => {
              compared += 1;
              return Promise.resolve(agreed);
            },
          },
        } as unknown as LaneContext;
        await watch.findMined(
          context,
          inParts(
            rows.filter((row) => row.nonce < nonce),
            queued,
          ),
        );
        time.now += 5000;
      }
      return { moved, compared };
    }

    it.each([
      ['most endpoints report its nonce as used', [7, 7], 1, [7]],
      ['only one reports its nonce as used', [7, 7, 7, 7], 0, []],
      ['its nonce was unused in between', [7, 0, 7], 1, []],
      ['its nonce is used for the second time', [7, 0, 7, 7], 1, [7]],
    ])('given that %s: nonces %j, agreed %d, gets the nonces %j', async (_what, reported, agreed, nonces) => {
      expect((await follow(reported, agreed)).moved).toEqual(nonces);
    });

    it('causes one comparison of the endpoints per step, however many there are', async () => {
      expect(await follow([7, 7], 0, 5)).toEqual({ moved: [], compared: 1 });
    });
  });

  it('looks up further transactions if it learns nothing about the first ones, and checks all that are mined', async () => {
    const asked: string[][] = [];
    const changed: string[] = [];
    const rows = {
      changeAll: (decisions: Decision[]) => {
        changed.push(...decisions.map(({ row }) => row.id));
        return Promise.resolve([]);
      },
    } as unknown as TransactionRows;
    const none = {} as never;
    const watch = watchOf(none, rows, none, none, none);
    const all = (status: 'submitted' | 'mined') =>
      [0, 1, 2, 3].map((nonce) =>
        newTransaction({
          ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
          ...{ status, attempt: attempt(`0x${nonce}`, 'a'), hashes: [`0x${nonce}`], inclusion: INCLUSION },
          needsAttempt: false,
        }),
      );
    const context = {
      ...{ ledger: LEDGER, relayer: { id: 'r' }, view: { head: 100, nonce: 4, reported: 4 } },
      memory: new LaneMemory(() => 0),
      chain: {
        requiredConfirmations: 12,
        inclusionsOfHalf: () => Promise.resolve([]),
        inclusions: (hashes: string[]) => {
          asked.push(hashes);
          return Promise.resolve(
            new Map(hashes.includes('0x2') ? [['0x2', { ...INCLUSION, hash: '0x2' }]] : []),
          );
        },
        agreedFinal: () => Promise.resolve(new Map()),
      },
    } as unknown as LaneContext;
    await watch.findMined(context, inParts(all('submitted')));
    expect(asked).toEqual([['0x0'], ['0x1'], ['0x2']]);
    expect(changed).toEqual(['t2']);
    asked.length = 0;
    await watch.confirm(context, inParts(all('mined'), 2));
    expect(asked).toEqual([
      ['0x0', '0x1'],
      ['0x2', '0x3'],
    ]);
  });

  it.each([
    [['0x1'], ['confirmed']],
    [[], []],
  ])(
    'finalizes only inclusions that endpoints agree on: with %j agreed, the new statuses are %j',
    async (agreed, statuses) => {
      const { changes, compared, areBlocksGone } = await confirmMined({}, INCLUSION, 'no', agreed);
      expect(compared).toEqual([INCLUSION]);
      expect(areBlocksGone).toBe(false);
      expect(changes.map(({ status }) => status)).toEqual(statuses);
    },
  );

  it('stores the fee on which endpoints agree, not the one of the receipt that was read', async () => {
    const { changes } = await confirmMined({}, { ...INCLUSION, fee: '0' }, 'no', ['0x1'], '7');
    expect(changes).toMatchObject([{ status: 'confirmed', inclusion: { ...INCLUSION, fee: '7' } }]);
  });

  it('replaces a receipt whose block is far above the newest one as soon as a node returns another receipt', async () => {
    const wrong = { ...INCLUSION, block_number: 2 ** 52, block_hash: '0xc' };
    const { changes } = await confirmMined({ inclusion: wrong, needsAttempt: false });
    expect(changes).toMatchObject([{ status: 'mined', inclusion: INCLUSION }]);
  });

  it('takes the number of the block from the newest receipt, even if the rest is the same', async () => {
    const wrong = { ...INCLUSION, block_number: 38 };
    const { changes, compared } = await confirmMined({ inclusion: wrong, needsAttempt: false });
    expect(compared).toEqual([wrong]);
    expect(changes).toMatchObject([{ status: 'mined', inclusion: INCLUSION }]);
  });

  it.each([
    ['request', null, false],
    ['request', 'canceled', true],
    ['noop', 'canceled', false],
  ] as const)(
    'sends a mined %s again whose block has disappeared, unless it was abandoned since: %j',
    async (kind, abandonedAs, needsAttempt) => {
      const row = { attempt: { ...attempt('0x1', 'a'), kind }, abandonedAs, needsAttempt: false };
      const { changes, areBlocksGone } = await confirmMined(row, null);
      expect(changes).toMatchObject([{ status: 'submitted', inclusion: null, needsAttempt }]);
      expect(areBlocksGone).toBe(true);
    },
  );

  it.each([
    ['same content', false],
    ['content before a PUT', true],
    ['purged', false],
  ])(
    'sends new content instead of what was mined before it and has disappeared: %s',
    async (hash, needsAttempt) => {
      const row = { attempt: attempt(hash, 'a'), needsAttempt: false, signedBlock: 7 };
      const { changes } = await confirmMined(row, null);
      expect(changes).toMatchObject([{ status: 'submitted', needsAttempt }]);
      // As after the PUT: nothing of it may be sent before the new content is signed.
      expect(changes[0]?.signedBlock).toBe(needsAttempt ? null : undefined);
    },
  );

  it('determines the revert reason of the attempt that was mined, not of the request that replaced it', async () => {
    const mined = { ...attempt('0x1', 'a'), to: '0xold', data: '0xaa' };
    const request = { to: '0xnew', value: '2', data: '0xbb', gas_limit: '50000' };
    const failed = { ...INCLUSION, succeeded: false };
    const { changes, executed } = await confirmMined({ request, attempt: mined }, failed);
    expect(changes).toMatchObject([{ status: 'failed', revertReason: 'no' }]);
    expect(executed).toEqual([{ to: '0xold', value: '1', data: '0xaa', gas_limit: '50000' }]);
  });

  it('does not truncate a reason in the middle of a surrogate pair, which databases would reject in an event', async () => {
    for (const before of [990, 991, 992, 993]) {
      const reason = `${'x'.repeat(before)}${'🦄'.repeat(15)}`;
      const { changes } = await confirmMined({}, { ...INCLUSION, succeeded: false }, reason);
      expect(changes[0]?.statusReason?.length).toBeLessThanOrEqual(1024);
      expect(changes[0]?.statusReason?.isWellFormed()).toBe(true);
      expect(changes[0]?.revertReason).toBe(reason);
    }
  });

  it.each([
    ['request', null, { status: 'confirmed', statusReason: null, revertReason: null, revertData: null }],
    ['request', 'failed', { status: 'confirmed', statusReason: null, revertReason: null, revertData: null }],
    ['noop', 'canceled', { status: 'canceled', revertReason: null, revertData: null }],
    ['noop', 'failed', { status: 'failed' }],
  ] as const)(
    'keeps the revert data of a simulation only for a transaction that failed because of it: a %s, abandoned as %j',
    async (kind, abandonedAs, expected) => {
      const said = { revertReason: 'no', revertData: '0x', statusReason: 'Transaction would revert: no' };
      const mined = { ...attempt('0x1', 'a'), kind };
      const { changes } = await confirmMined({ attempt: mined, abandonedAs, ...said });
      expect(changes).toEqual([expect.objectContaining(expected)]);
      expect(changes[0]).toHaveProperty('inclusion', INCLUSION);
      if (expected.status === 'failed') expect(changes[0]).not.toHaveProperty('revertReason');
    },
  );
});
