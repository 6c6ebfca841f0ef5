import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import { newTransaction } from '../new-transaction';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { Fit } from '../../chains/transaction-chain';
import type { Decision, TransactionChanges, TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { AttemptSender } from './attempt-sender';
import type { AttemptSigner } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory, renewalOf } from './lane-memory';
import { isResendable, Renewal } from './renewal';

const MINUTE_MS = 60_000;
const SENT = { status: 'sent', needsAttempt: false } as const;
const PAST = { validUntil: new Date('2026-01-31T11:59:59Z') };

describe('Renewal', () => {
  let memory: LaneMemory;

  beforeEach(() => {
    memory = new LaneMemory();
    jest.useFakeTimers({ now: new Date('2026-01-31T12:00:00Z') });
  });

  afterEach(() => jest.useRealTimers());

  it.each([
    ['is the newest', { needsAttempt: false }, false, true],
    ['will soon get higher fees', {}, false, false],
    ['cannot get higher fees now', {}, true, true],
    ['is of a request that was replaced', { signedBlock: null }, true, false],
    ['is of a request that was canceled', { abandonedAs: 'canceled' }, true, false],
    ['has expired before any node had it', { ...SENT, ...PAST }, false, false],
    ['has expired since a node had it', { ...SENT, ...PAST, status: 'submitted' }, false, true],
    ['is the no-op of what has expired', { ...SENT, ...PAST, abandonedAs: 'expired' }, false, true],
  ] as [string, Partial<TransactionEntity>, boolean, boolean][])(
    'sends an attempt again if it %s: %j',
    (_what, given, hasFailed, is) => {
      const row = newTransaction({
        ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 3, request: {} },
        ...{ signedBlock: 7, needsAttempt: true, attempt: { hash: '0x1', kind: 'request' } as never },
        ...given,
      });
      if (hasFailed) memory.failed(renewalOf('t'));
      expect(isResendable({ memory } as LaneContext, row)).toBe(is);
    },
  );

  /**
   * A transaction at the head of the queue with this many attempts.
   *
   * @param age minutes since the newest attempt was signed
   * @param heads the newest block at each step
   * @param sent minutes since a node first had an attempt
   */
  async function bump(
    age: number,
    attempts: number,
    heads: readonly number[],
    {
      isOutpriced = false,
      sent = age,
      given = {},
      ignored = [],
    }: { isOutpriced?: boolean; sent?: number; given?: Partial<TransactionEntity>; ignored?: object[] } = {},
  ) {
    let signed = 0;
    const content = { to: '0x', value: '1' };
    const accepted = { acknowledgedAt: new Date(0), createdAt: new Date(0), content };
    const newest = { ...accepted, createdAt: new Date(Date.now() - age * MINUTE_MS) };
    const others = ignored.map((each) => ({ ...accepted, ...each }));
    const all = [newest, ...Array.from({ length: attempts - 1 }, () => accepted), ...others];
    const found = all.map((each, i) => ({ ...each, number: all.length - i }));
    const rows = { attempts: { find: () => Promise.resolve(found) } } as unknown as TransactionRows;
    const signer = { sign: () => Promise.resolve((signed += 1) && []) } as unknown as AttemptSigner;
    const sender = { send: () => Promise.resolve(true) } as unknown as AttemptSender;
    const config = { get: () => ({ bumpSeconds: undefined }) } as unknown as ConfigService<AppConfig, true>;
    const renewal = new Renewal({} as never, rows, signer, sender, config);
    const head = newTransaction({
      ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 3, request: { speed: 'average' } },
      ...{
        status: 'submitted',
        needsAttempt: false,
        attempt: { ...content, hash: `0x${attempts}` } as never,
      },
      ...{ sentAt: new Date(Date.now() - sent * MINUTE_MS), ...given },
    });
    for (const number of heads)
      await renewal.bump(
        {
          ...{ memory, view: { head: number, nonce: 3, reported: 3 } },
          chain: { isOutpriced: () => Promise.resolve(isOutpriced) },
        } as unknown as LaneContext,
        [head],
      );
    return signed;
  }

  it.each([
    [1, 5],
    [2, 10],
    [3, 20],
    [4, 40],
    [5, 80],
    [6, 160],
    // From here on the intervals no longer increase.
    [7, 160],
    [8, 160],
  ])(
    'raises the fees of a transaction with %d attempts %d minutes after the last one',
    async (attempts, minutes) => {
      expect(await bump(minutes - 0.1, attempts, [1, 2])).toBe(0);
      expect(await bump(minutes, attempts, [2])).toBe(1);
    },
  );

  it('does not wait longer because of attempts that no node accepted, or with other content', async () => {
    const ignored = [
      { acknowledgedAt: null },
      { content: { to: '0x', value: '2' } },
      { content: { to: null, value: '1' } },
    ];
    expect(await bump(5, 1, [1, 2], { ignored })).toBe(1);
    expect(await bump(5, 1, [3, 4], { ignored: [{}] })).toBe(0);
  });

  it('does not wait longer because of attempts before a replacement, which may have other data', async () => {
    const ignored = [{}, {}, {}, {}];
    const given = { request: { speed: 'average', replaced_after: 4 } };
    expect(await bump(4.9, 1, [1, 2], { ignored, given })).toBe(0);
    expect(await bump(5, 1, [3], { ignored, given })).toBe(1);
    expect(await bump(9.9, 2, [5, 6], { ignored, given })).toBe(0);
    expect(await bump(10, 2, [7], { ignored, given })).toBe(1);
  });

  it.each<[string, number, Partial<TransactionEntity>]>([
    ['safeLow', 10, { request: { speed: 'safeLow' } }],
    ['average', 5, {}],
    ['fast', 3, { request: { speed: 'fast' } }],
    ['fastest', 2, { request: { speed: 'fastest' } }],
    ['canceled', 2, { abandonedAs: 'canceled' }],
  ])('raises the fees of a transaction that is %s after %d minutes', async (_what, minutes, given) => {
    expect(await bump(minutes - 0.01, 1, [1, 2], { given })).toBe(0);
    expect(await bump(minutes, 1, [3], { given })).toBe(1);
  });

  it.each<[string, Partial<TransactionEntity>]>([
    ['no node has acknowledged', { status: 'sent' }],
    ['is mined', { status: 'mined' }],
    ['was replaced', { needsAttempt: true }],
    ['has no attempt', { attempt: null }],
    ['waits for others', { nonce: 4 }],
    ['has fees of the client', { request: { speed: null } }],
    ['could not be signed a moment ago', { id: 'failed' }],
  ])('does not raise the fees of a transaction that %s', async (_what, given) => {
    memory.failed(renewalOf('failed'));
    expect(await bump(600, 1, [1, 2], { isOutpriced: true, given })).toBe(0);
  });

  it('does not raise fees while there are no new blocks, unless the next block requires higher ones', async () => {
    expect(await bump(60, 1, [7, 7, 7])).toBe(0);
    expect(await bump(60, 1, [8])).toBe(1);
    expect(await bump(60, 2, [8, 8])).toBe(0);
    expect(await bump(60, 2, [8], { isOutpriced: true })).toBe(1);
  });

  it('waits after each increase, however long the transaction has been waiting', async () => {
    expect(await bump(4.9, 1, [1, 2], { sent: 600 })).toBe(0);
    expect(await bump(9.9, 2, [3, 4], { sent: 600 })).toBe(0);
  });

  it('counts the time from when a node first had the transaction', async () => {
    expect(await bump(600, 1, [1, 2], { sent: 4.9 })).toBe(0);
  });

  it('measures the time itself if the clock was set back since the transaction was sent', async () => {
    expect(await bump(-60, 1, [1, 2])).toBe(0);
    jest.advanceTimersByTime(4.9 * MINUTE_MS);
    expect(await bump(-55.1, 1, [3])).toBe(0);
    jest.advanceTimersByTime(0.1 * MINUTE_MS);
    expect(await bump(-55, 1, [4])).toBe(1);
    // The next attempt waits as well, although a node first had one in the future.
    expect(await bump(0, 2, [5, 6], { sent: -55 })).toBe(0);
    jest.advanceTimersByTime(10 * MINUTE_MS);
    expect(await bump(10, 2, [7], { sent: -45 })).toBe(1);
  });

  it('raises fees even if the head block was wrong when the transaction came to the head of the queue', async () => {
    expect(await bump(60, 1, [10 ** 9, 7, 8])).toBe(1);
  });

  it.each<[string, Partial<TransactionEntity>, object, number]>([
    ['that cost too much', {}, {}, 1],
    ['of a no-op', { isFiller: true }, {}, 1],
    ['while prices have not fallen', {}, { isOverpriced: false }, 0],
    ['that were refused for other reasons', {}, { isExpensive: false }, 0],
    ['while that failed a moment ago', {}, { hasFailed: true }, 0],
    ['of the client', { request: { speed: null } }, {}, 0],
    ['of a request that was replaced', { needsAttempt: true }, {}, 0],
    ['that a node has acknowledged', { status: 'submitted' }, {}, 0],
  ])('lowers fees %s: %j, %j', async (_what, given, state, expected) => {
    const { isOverpriced, isExpensive, hasFailed } = {
      ...{ isOverpriced: true, isExpensive: true, hasFailed: false },
      ...state,
    };
    const row = newTransaction({
      ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 3, request: { speed: 'fast' } },
      ...{ status: 'sent', needsAttempt: false, signedBlock: 7, attempt: { hash: '0x1' } as never },
      ...given,
    });
    const sent: unknown[] = [];
    const signer = {
      isOverpriced: () => Promise.resolve(isOverpriced),
      sign: (_context: LaneContext, rows: unknown[]) => Promise.resolve(rows),
    } as unknown as AttemptSigner;
    const send = (_context: LaneContext, some: unknown[]) => Promise.resolve(sent.push(...some) > 0);
    const config = { get: () => ({ bumpSeconds: undefined }) } as unknown as ConfigService<AppConfig, true>;
    const sender = { send } as unknown as AttemptSender;
    memory.setTooExpensive(row, isExpensive);
    if (hasFailed) memory.failed(renewalOf('t'));
    await new Renewal({} as never, {} as never, signer, sender, config).lower({ memory } as LaneContext, [
      row,
    ]);
    expect(sent).toHaveLength(expected);
  });

  it.each([
    ['has passed', { validUntil: new Date('2026-01-31T12:00:00Z') }, true],
    ['has not passed', { validUntil: new Date('2026-01-31T12:00:00.001Z') }, false],
    ['does not exist', { validUntil: null }, false],
    ['has passed, and was stored', { validUntil: new Date(0), abandonedAs: 'expired' as const }, false],
  ])('abandons a transaction if its valid_until %s', async (_what, given, isAbandoned) => {
    const changed: unknown[] = [];
    const rows = {
      change: (row: TransactionEntity, changes: object) => Promise.resolve(changed.push([row.id, changes])),
    } as unknown as TransactionRows;
    const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
    const config = { get: () => ({}) } as unknown as ConfigService<AppConfig, true>;
    const renewal = new Renewal(unitOfWork, rows, {} as never, {} as never, config);
    const whole = { accountId: 'a', relayerId: 'r', sender: '0x', nonce: 3, request: {} };
    const row = newTransaction({ ...whole, id: 't', ...given });
    const other = newTransaction({ ...whole, id: 'other' });
    const left = await renewal.expire({ relayer: {} } as LaneContext, [row, other]);
    const changes = {
      ...{ abandonedAs: 'expired', needsAttempt: true, statusReason: 'Expired: valid_until has passed' },
    };
    expect(changed).toEqual(isAbandoned ? [['t', changes]] : []);
    expect(left).toEqual(isAbandoned ? [other] : [row, other]);
  });

  /** @param fits whether the attempt fits at each step, 4 s and 2 blocks apart @returns the changes, and what is left */
  async function giveUp(given: Partial<TransactionEntity>, fits: readonly Fit[]) {
    const changed: TransactionChanges[] = [];
    const rows = {
      changeAll: (decisions: Decision[]) => {
        changed.push(...decisions.map(({ changes }) => changes));
        return Promise.resolve([]);
      },
    } as unknown as TransactionRows;
    const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
    const config = { get: () => ({ bumpSeconds: undefined }) } as unknown as ConfigService<AppConfig, true>;
    const renewal = new Renewal(unitOfWork, rows, {} as never, {} as never, config);
    const row = newTransaction({
      ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 3, request: {}, status: 'submitted' },
      ...{ needsAttempt: false, signedBlock: 7, attempt: { hash: '0x1', kind: 'request' } as never },
      ...given,
    });
    let left: TransactionEntity[] = [];
    for (const [step, fit] of fits.entries()) {
      left = await renewal.giveUp(
        {
          ...{ memory, relayer: {}, view: { head: 100 + 2 * step } },
          chain: { fit: () => Promise.resolve(fit) },
        } as unknown as LaneContext,
        [row],
      );
      jest.advanceTimersByTime(4000);
    }
    return { changed, left: left.length };
  }

  const never = { never: 'Transaction gas limit (9) exceeds block gas limit (8)' };

  it.each(['sent', 'submitted'] as const)('gives up what is %s and fits into no block', async (status) => {
    expect(await giveUp({ status }, [never, never])).toEqual({
      changed: [{ abandonedAs: 'failed', needsAttempt: true, statusReason: never.never }],
      left: 0,
    });
  });

  it.each<[string, Partial<TransactionEntity>, Fit[]]>([
    ['fits', {}, ['now', 'now']],
    ['may fit later', {}, ['later', 'later']],
    ['does not fit, as was said once', {}, [never]],
    ['fitted meanwhile', {}, [never, 'later', never]],
    ['was replaced, by what has not been signed', { signedBlock: null, needsAttempt: true }, [never, never]],
    ['is abandoned', { abandonedAs: 'canceled' }, [never, never]],
    ['is a no-op', { isFiller: true, attempt: { hash: '0x1', kind: 'noop' } as never }, [never, never]],
    ['has no attempt', { status: 'pending', attempt: null, signedBlock: null }, [never, never]],
  ])('does not give up what %s', async (_what, given, fits) => {
    expect(await giveUp(given, fits)).toEqual({ changed: [], left: 1 });
  });

  it.each(['replace', 'lower'] as const)(
    'goes on with the other transactions if one cannot be signed because no node responds for it: %s',
    async (method) => {
      const signed: string[] = [];
      const sign = (_context: LaneContext, [row]: readonly TransactionEntity[]) => {
        signed.push(row!.id);
        return row!.id === 't0' ? Promise.reject(new RpcUnavailableError('timeout')) : Promise.resolve([]);
      };
      const signer = { sign, isOverpriced: () => Promise.resolve(true) } as unknown as AttemptSigner;
      const sender = { send: () => Promise.resolve(true) } as unknown as AttemptSender;
      const config = { get: () => ({ bumpSeconds: undefined }) } as unknown as ConfigService<AppConfig, true>;
      const renewal = new Renewal({} as never, {} as never, signer, sender, config);
      const rows = [0, 1].map((nonce) =>
        newTransaction({
          ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
          ...{ status: 'sent', needsAttempt: method === 'replace', attempt: { hash: `0x${nonce}` } as never },
        }),
      );
      for (const row of rows) memory.setTooExpensive(row, true);
      const context = { memory } as LaneContext;
      // The step fails at the first one only until that pauses.
      await expect(renewal[method](context, rows)).rejects.toThrow(RpcUnavailableError);
      await renewal[method](context, rows);
      expect(signed).toEqual(['t0', 't1']);
      expect(memory.mayRenew('t0')).toBe(false);
      // Only what cannot be signed has a reason that is to remain.
      expect(memory.hasFailed(renewalOf('t0'))).toBe(false);
    },
  );

  /** @param heads the newest block at each step @returns the blocks of the first signature at the end */
  async function redate(signedBlocks: (number | null)[], heads: readonly number[]) {
    const rows = {
      changeAll: (decisions: Decision[]) =>
        Promise.resolve(decisions.map(({ row, changes }) => Object.assign(row, changes))),
    } as unknown as TransactionRows;
    const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
    const config = { get: () => ({ bumpSeconds: undefined }) } as unknown as ConfigService<AppConfig, true>;
    const renewal = new Renewal(unitOfWork, rows, {} as never, {} as never, config);
    let signed = signedBlocks.map((signedBlock, i) =>
      newTransaction({
        ...{ id: `t${i}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce: i, request: {} },
        ...{ status: 'submitted', signedBlock },
      }),
    );
    for (const head of heads) {
      signed = await renewal.redate(
        { memory, view: { head }, relayer: {} } as unknown as LaneContext,
        signed,
      );
      jest.advanceTimersByTime(4000);
    }
    return signed.map(({ signedBlock }) => signedBlock);
  }

  it.each([
    ['that stays above the newest one', [10 ** 9], [100, 101, 102], [102]],
    ['of an endpoint that is ahead', [102], [100, 101, 102, 103, 104], [102]],
    ['that is right, although the others lag for long', [200], [100, 101, 102, 103, 104], [200]],
    ['of others', [null, 90], [100, 101, 102], [null, 90]],
  ])(
    'corrects the block of the first signature only if it is wrong: a block %s',
    async (_what, blocks, heads, expected) => {
      expect(await redate(blocks, heads)).toEqual(expected);
    },
  );
});
