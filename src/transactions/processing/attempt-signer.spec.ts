import { readTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { AuditLog } from '../../audit/audit-log';
import type { RelayersService } from '../../relayers/relayers.service';
import type { SignatureEvents } from '../../signing/signature-events';
import type { SigningMetrics } from '../../signing/signing.metrics';
import type { TransactionMetrics } from '../transaction.metrics';
import type { SignerKeys } from '../../signers/opening/signer-keys';
import type { UnitOfWork } from '../../database/unit-of-work';
import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { TransactionEntity } from '../transaction.entity';
import type { TransactionChanges, TransactionRows } from '../transaction-rows';
import { AttemptSigner, FROZEN_REASON, NO_FUNDS_REASON } from './attempt-signer';
import type { LaneContext } from './lane-context';
import { LaneMemory, renewalOf } from './lane-memory';

const FIELDS = { type: 0, chain_id: 1, nonce: 0, gas_price: 1, gas_limit: 21_000, to: null };
const SUBJECT = readTransaction(FIELDS);

/** Signs a transaction while signing is frozen. @returns the reasons that were stored */
async function signFrozen(given: Partial<TransactionEntity>): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
  const rows = {
    change: (_row: TransactionEntity, { statusReason }: TransactionChanges) =>
      Promise.resolve(reasons.push(statusReason)),
  } as unknown as TransactionRows;
  const none = {} as never;
  const signer = new AttemptSigner(unitOfWork, separateUnits, rows, none, none, none, none, none, none);
  const row = newTransaction({
    ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
    ...given,
  });
  expect(await signer.sign({ isFrozen: true } as LaneContext, [row])).toEqual([]);
  return reasons;
}

/**
 * Signs a transaction whose key cannot be opened, at each of these times and heads.
 *
 * @returns the changes that are stored
 */
async function changesOf(
  given: Partial<TransactionEntity>,
  drafted: object,
  policies: object = {},
  steps: readonly [now: number, head: number][] = [[0, 100]],
  { fit = 'now', attempts = [] as object[] } = {},
): Promise<TransactionChanges[]> {
  const changed: TransactionChanges[] = [];
  const unitOfWork = { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork;
  const rows = {
    attemptsOf: () => Promise.resolve(attempts),
    bytesOf: (_id: string, hash: string) => Promise.resolve(hash === 'purged' ? null : hash),
    change: (_row: TransactionEntity, changes: TransactionChanges) => Promise.resolve(changed.push(changes)),
  } as unknown as TransactionRows;
  const keys = { open: () => Promise.reject(new Error('no key')) } as unknown as SignerKeys;
  const none = {} as never;
  const metrics = { countSend: () => undefined } as unknown as TransactionMetrics;
  const signer = new AttemptSigner(unitOfWork, separateUnits, rows, keys, none, none, metrics, none, none);
  const row = newTransaction({
    ...{ accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
    ...given,
  });
  const time = { now: 0 };
  const memory = new LaneMemory(() => time.now);
  for (const [now, head] of steps) {
    time.now = now;
    const context = {
      ...{ memory, relayer: { policies }, readAt: Infinity, view: { head } },
      chain: {
        ...{ draft: () => Promise.resolve(drafted), fit: () => Promise.resolve(fit) },
        isSignedForm: (raw: string) => raw === 'same content',
      },
    } as unknown as LaneContext;
    expect(await signer.sign(context, [row])).toEqual([]);
  }
  return changed;
}

/**
 * Signs two transactions, of which the second is changed by others before it is stored.
 *
 * @returns how many digests were reported, whether each may be renewed at once, and the reasons that were stored
 */
async function signTwo(given: Partial<TransactionEntity>, offersNoMore = false) {
  const reported: number[] = [];
  const reasons: unknown[] = [];
  const list = ['t1', 't2'].map((id) =>
    newTransaction({
      ...{ id, accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {}, signedBlock: 7 },
      ...{ hashes: ['0x1'], status: 'submitted' as const, needsAttempt: false, ...given },
    }),
  );
  const relayer = { id: 'r', policies: {}, notificationId: 'n' };
  const run = <T>(work: () => Promise<T>) => work();
  const rows = {
    attemptsOf: () => Promise.resolve([]),
    changeAll: () => Promise.resolve(list.slice(0, 1)),
    insertAttempts: () => Promise.resolve(),
    change: (_row: TransactionEntity, { statusReason }: TransactionChanges) =>
      Promise.resolve(reasons.push(statusReason)),
  } as unknown as TransactionRows;
  const keys = { open: () => Promise.resolve({ sign: () => Promise.resolve({}) }) } as unknown as SignerKeys;
  const signer = new AttemptSigner(
    { run } as UnitOfWork,
    separateUnits,
    rows,
    keys,
    { findForProcessing: () => Promise.resolve({ relayer, isFrozen: false }) } as unknown as RelayersService,
    {
      record: (_relayer: string, _notification: string, signed: readonly unknown[]) =>
        Promise.resolve(reported.push(signed.length)),
    } as unknown as SignatureEvents,
    { countReplacement: () => undefined, countSend: () => undefined } as unknown as TransactionMetrics,
    { recordAll: () => Promise.resolve() } as unknown as AuditLog,
    {} as SigningMetrics,
  );
  const memory = new LaneMemory(() => 0);
  const attempt = { content: { hash: '0x2', kind: 'request' }, raw: '0x' };
  const draft = { digest: new Uint8Array(32), subject: SUBJECT, offersNoMore, sign: () => attempt };
  const context = {
    ...{ memory, relayer, readAt: Infinity, view: { head: 9 } },
    chain: { draft: () => Promise.resolve({ draft }) },
  } as unknown as LaneContext;
  await signer.sign(context, list);
  return { reported, reasons, mayRenew: memory.mayTry(renewalOf('t1')) };
}

const REVERT = { reason: 'no', data: '0x' };

describe('AttemptSigner', () => {
  it('reports the signatures that were stored', async () => {
    expect(await signTwo({})).toEqual({ reported: [1], reasons: [], mayRenew: true });
  });

  it('signs nothing that offers no more than earlier attempts, unless its content is new', async () => {
    expect(await signTwo({}, true)).toEqual({ reported: [], reasons: [NO_FUNDS_REASON], mayRenew: false });
    expect(await signTwo({ statusReason: NO_FUNDS_REASON }, true)).toMatchObject({
      reported: [],
      reasons: [],
    });
    expect(await signTwo({ needsAttempt: true }, true)).toMatchObject({ reported: [1], reasons: [] });
    expect(await signTwo({ status: 'pending' }, true)).toMatchObject({ reported: [1], reasons: [] });
  });

  it('stores once what a transaction is waiting for', async () => {
    expect(await signFrozen({})).toEqual([FROZEN_REASON]);
    expect(await signFrozen({ statusReason: FROZEN_REASON })).toEqual([]);
  });

  it.each(['canceled', 'expired', 'failed'] as const)(
    'keeps the reason of a transaction that is to be %s',
    async (abandonedAs) => {
      expect(await signFrozen({ abandonedAs, statusReason: 'Expired: valid_until has passed' })).toEqual([]);
    },
  );

  it('says that the no-op of a cancellation waits for funds', async () => {
    const given = { ...{ status: 'submitted' as const, hashes: ['0x1'] }, abandonedAs: 'canceled' as const };
    const canceled = { ...given, statusReason: 'Transaction canceled by user' };
    const waiting = 'Transaction canceled by user; its no-op waits for funds';
    const waits = { waits: 'Waiting for funds: 5 wei', forFunds: true };
    expect(await changesOf(canceled, waits)).toEqual([{ statusReason: waiting }]);
    expect(await changesOf({ ...canceled, statusReason: waiting }, waits)).toEqual([]);
    expect(await changesOf(canceled, { waits: 'Waiting: the fees are at their limit' })).toEqual([]);
    expect(
      await changesOf(
        { ...canceled, statusReason: waiting },
        { waits: 'Waiting: the fees are at their limit' },
      ),
    ).toEqual([{ statusReason: 'Transaction canceled by user' }]);
  });

  it('does not truncate a reason in the middle of a surrogate pair', async () => {
    const refused = `Transaction would revert: ${'x'.repeat(997)}🦄`;
    const [changes] = await changesOf({}, { refused });
    expect(changes?.statusReason?.isWellFormed()).toBe(true);
  });

  it.each([
    ['what has been signed waits', 7, undefined, { statusReason: 'Waiting: not valid now: too much gas' }],
    ['what has not been signed is abandoned', null, undefined, { abandonedAs: 'failed' }],
    [
      'what has been signed and would revert waits',
      7,
      REVERT,
      { statusReason: 'Waiting: not valid now: too much gas' },
    ],
    [
      'what has not been signed and would revert is abandoned',
      null,
      REVERT,
      { abandonedAs: 'failed', revertReason: 'no' },
    ],
  ])('handles a refused draft: %s', async (_what, signedBlock, revert, expected) => {
    const given = { status: 'submitted' as const, hashes: ['0x1'], signedBlock };
    const changed = await changesOf(given, { refused: 'too much gas', revert });
    expect(changed).toEqual([expect.objectContaining(expected)]);
    expect(changed[0]?.abandonedAs).toBe('abandonedAs' in expected ? 'failed' : undefined);
  });

  it.each([
    ['lasts', [[0, 100], [4000, 102]], 'now', 'failed'], // prettier-ignore
    ['has not lasted', [[0, 100], [4000, 101]], 'now', undefined], // prettier-ignore
    ['lasts, but only because blocks have less gas', [[0, 100], [4000, 102]], 'later', undefined], // prettier-ignore
  ] as [string, [number, number][], string, string | undefined][])(
    'abandons what has been signed if its refusal %s: %j, fits %s: %s',
    async (_what, steps, fit, abandonedAs) => {
      const given = { status: 'submitted' as const, attempt: { hash: '0x1' } as never, signedBlock: 7 };
      for (const revert of [undefined, REVERT]) {
        const changed = await changesOf(given, { refused: 'too much gas', revert }, {}, steps, { fit });
        expect(changed.at(-1)?.abandonedAs).toBe(abandonedAs);
      }
    },
  );

  it.each([
    ['pending', [], null, 'failed'],
    ['pending', ['same content'], null, 'failed'],
    ['submitted', ['same content'], 7, undefined],
    ['submitted', ['same content', 'other content'], 7, undefined],
    // Replaced: the new content has not been signed yet.
    ['submitted', ['same content'], null, 'failed'],
    // Nothing proves the earlier signature.
    ['submitted', [], 7, 'failed'],
    ['submitted', ['other content', 'purged'], 7, 'failed'],
  ] as const)(
    'checks a %s transaction with the attempts %j, signed at block %j, against the policies: %s',
    async (status, hashes, signedBlock, abandonedAs) => {
      const draft = { digest: new Uint8Array(32), subject: SUBJECT };
      const given = { status, hashes: [...hashes], signedBlock };
      const attempts = hashes.map((hash) => ({ hash, kind: 'request', nonce: 0 }));
      const changed = await changesOf(given, { draft }, { whitelist_receivers: [] }, undefined, { attempts });
      expect(changed.map((changes) => changes.abandonedAs)).toEqual([abandonedAs]);
    },
  );

  it.each([
    ['a no-op', { kind: 'noop', nonce: 0 }],
    ['an attempt with another nonce', { kind: 'request', nonce: 1 }],
  ])('does not take %s for the first signature', async (_what, attempt) => {
    const draft = { digest: new Uint8Array(32), subject: SUBJECT };
    const given = { status: 'submitted' as const, hashes: ['same content'], signedBlock: 7 };
    const attempts = [{ hash: 'same content', ...attempt }];
    const changed = await changesOf(given, { draft }, { whitelist_receivers: [] }, undefined, { attempts });
    expect(changed.map((changes) => changes.abandonedAs)).toEqual(['failed']);
  });
});
