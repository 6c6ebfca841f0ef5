import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { AttemptContent, Signature, SignedAttempt } from '../../chains/transaction-chain';
import type { UnitOfWork } from '../../database/unit-of-work';
import type { AccountLedger } from '../accepting/account-ledger';
import { newTransaction } from '../new-transaction';
import type { NonceEvents } from '../nonce-events';
import type { TransactionEntity } from '../transaction.entity';
import type { SpendLimits } from '../spending/spend-limits';
import type { TransactionMetrics } from '../transaction.metrics';
import type { TransactionChanges, TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';
import { NonceTakers } from './nonce-takers';

const CONFIG = { get: () => ({ unknownUseMs: 600_000 }) } as unknown as ConfigService<AppConfig, true>;
const LEDGER = { id: 'a', address: '0x', relayerId: 'r', nextNonce: 7, chainId: '10', lowerings: 0 };
const signature = (r: string): Signature => ({ r: r.repeat(64), s: '5'.repeat(64), v: 27 });
const attempt = (hash: string, r: string) =>
  ({ hash, kind: 'request', value: '1', signature: signature(r) }) as AttemptContent;

/** What a node returns as mined. */
const mined = (signed: Signature | null, raw = 'other content') => ({
  signed: signed && { raw, content: { ...attempt('0x9', ''), signature: signed } },
});

const repairs: string[] = [];
const inserted: unknown[] = [];
const settled: unknown[] = [];
const assigned: number[] = [];
const events: object[] = [];
const limits: number[] = [];
let searches = 0;

const USUAL = {
  hasLasted: true,
  lastsAfterSearch: false,
  maySearch: true,
  agreedNonce: 1,
  /** The ledger, and how the transaction differs, when both are locked. */
  locked: LEDGER as typeof LEDGER | null,
  fresh: {} as Partial<TransactionEntity>,
  /** Whether the signed bytes of attempts are no longer stored. */
  arePurged: false,
};
let state = USUAL;

/** Looks up a transaction with two attempts, whose nonce another hash has used. @returns the changes */
async function findTaken(
  taker: { signed: SignedAttempt | null; block_number?: number; hash?: string } | Error | null,
  hashes = ['0x1', '0x2'],
  given: Partial<TransactionEntity> = {},
  isUsedElsewhere = true,
  unknownForMs = 600_000,
  head = 100,
): Promise<TransactionChanges[]> {
  const changed: TransactionChanges[] = [];
  repairs.length = 0;
  settled.length = 0;
  inserted.length = 0;
  assigned.length = 0;
  events.length = 0;
  limits.length = 0;
  searches = 0;
  const attempts = [attempt('0x1', 'a'), attempt('0x2', 'b')];
  const rowWith = (more: Partial<TransactionEntity>) =>
    newTransaction({
      ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
      ...{ status: 'submitted', attempt: attempts[1]!, hashes },
      createdAt: new Date(0),
      ...{ ...given, ...more },
    });
  const row = rowWith({});
  const change = (_row: TransactionEntity, changes: TransactionChanges) => {
    changed.push(changes);
    return Promise.resolve(row);
  };
  const rows = {
    ...{ change, changeProtected: change, findToChange: () => Promise.resolve(rowWith(state.fresh)) },
    attemptsOf: () =>
      Promise.resolve(attempts.map((content, i) => ({ number: i + 1, hash: content.hash, content }))),
    bytesOf: (_id: string, hash: string) => Promise.resolve(state.arePurged ? null : `bytes of ${hash}`),
    insertAttempts: (added: readonly unknown[]) => Promise.resolve(inserted.push(...added)),
  } as unknown as TransactionRows;
  const ledger = {
    findToChange: () => Promise.resolve(state.locked),
    assign: (changes: { nextNonce: number }[]) =>
      Promise.resolve(assigned.push(...changes.map(({ nextNonce }) => nextNonce))),
  };
  const takers = new NonceTakers(
    { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork,
    rows,
    ledger as unknown as AccountLedger,
    { settle: (after: unknown) => Promise.resolve(settled.push(after)) } as unknown as SpendLimits,
    {
      record: (_ledger: object, _relayer: object, event: object) => Promise.resolve(events.push(event)),
    } as unknown as NonceEvents,
    { countRepair: (_chain: string, kind: string) => repairs.push(kind) } as unknown as TransactionMetrics,
    CONFIG,
  );
  const context = {
    ...{ ledger: LEDGER, relayer: { id: 'r' }, view: { head, nonce: 1, reported: 1 } },
    memory: {
      forget: () => undefined,
      mayTry: () => state.maySearch,
      failed: () => undefined,
      hasLastedUse: () => state.lastsAfterSearch,
      limitNonce: (nonce: number) => limits.push(nonce),
      waits: { unknownFor: () => unknownForMs, mayLackAttempts: (block: number) => block < 90 },
    },
    chain: {
      requiredConfirmations: 12,
      findMined: () => {
        searches += 1;
        return taker instanceof Error
          ? Promise.reject(taker)
          : Promise.resolve(taker && { hash: '0x9', block_number: 50, ...taker });
      },
      timeOf: (block: number) => Promise.resolve(1000 * block),
      dataOf: (raw: string) => `data in ${raw}`,
      subjectOf: (request: unknown, nonce: number) => ({ request, nonce }),
      isSignedForm: (raw: string, sender: string, subject: unknown) => {
        expect([sender, subject]).toEqual(['0x', { request: {}, nonce: 0 }]);
        return raw === 'same content';
      },
      isUsedElsewhere: (...asked: unknown[]) => {
        expect(asked).toEqual(['0x', 0, hashes]);
        return Promise.resolve(isUsedElsewhere);
      },
    },
  } as unknown as LaneContext;
  const responded = await takers.find(context, row, state.hasLasted, () =>
    Promise.resolve(state.agreedNonce),
  );
  expect(responded).toBe(searches === 0 ? undefined : !(taker instanceof Error));
  return changed;
}

describe('NonceTakers', () => {
  const UNSIGNED = { status: 'pending', attempt: null } as const;

  beforeEach(() => {
    state = USUAL;
  });

  it('moves the ledger past the new nonce, and reports it', async () => {
    expect(await findTaken(mined(null))).toMatchObject([{ nonce: 7 }]);
    expect(assigned).toEqual([8]);
    expect(events).toEqual([{ kind: 'reassigned', from: 0, to: 7 }]);
  });

  it.each<[string, Partial<typeof USUAL>]>([
    ['the account has no ledger any more', { locked: null }],
    ['the ledger has been lowered since the chain was read', { locked: { ...LEDGER, lowerings: 1 } }],
    ['the transaction has changed', { fresh: { version: 9 } }],
    ['the transaction has another nonce', { fresh: { nonce: 5 } }],
  ])('changes nothing if %s', async (_what, difference) => {
    state = { ...USUAL, ...difference };
    expect(await findTaken(mined(null))).toEqual([]);
    expect({ assigned, events, repairs }).toEqual({ assigned: [], events: [], repairs: [] });
  });

  it('does not search for what used the nonce of signed content before that has lasted', async () => {
    state = { ...USUAL, hasLasted: false };
    expect(await findTaken(mined(null))).toEqual([]);
    expect(searches).toBe(0);
    expect(await findTaken(mined(null), [], UNSIGNED)).toMatchObject([{ nonce: 7 }]);
    expect(searches).toBe(1);
  });

  it('lets signed content be sent again if most endpoints report that its nonce is unused', async () => {
    state = { ...USUAL, agreedNonce: 0 };
    expect(await findTaken(null, ['0x1'], { abandonedAs: 'canceled' })).toEqual([]);
    expect(limits).toEqual([0]);
    state = USUAL;
    expect(await findTaken(null, ['0x1'], { abandonedAs: 'canceled' })).toMatchObject([
      { status: 'canceled' },
    ]);
    expect(limits).toEqual([]);
  });

  it('does not search again during a pause', async () => {
    state = { ...USUAL, maySearch: false };
    expect(await findTaken(mined(null))).toEqual([]);
    expect(searches).toBe(0);
  });

  it.each<[string, Partial<typeof USUAL>, number]>([
    ['and that has lasted', {}, 1],
    ['but that has not lasted', { hasLasted: false }, 0],
    ['but most do not', { agreedNonce: 0 }, 0],
  ])(
    'believes an endpoint that reports the nonce of unsigned content as used, %s: %j',
    async (_what, given, times) => {
      state = { ...USUAL, ...given };
      expect(await findTaken(null, [], UNSIGNED)).toHaveLength(times);
      // It is signed instead, as most report its nonce as unused.
      expect(limits).toEqual(given.agreedNonce === undefined ? [] : [given.agreedNonce]);
    },
  );

  it('leaves a transaction whose own attempt used the nonce', async () => {
    expect(await findTaken({ ...mined(null), hash: '0x2' })).toEqual([]);
  });

  it.each([signature('c'), { ...signature('a'), s: '6'.repeat(64) }, null])(
    'assigns a new nonce to a request when another transaction used its nonce, signed with %j',
    async (signed) => {
      expect(await findTaken(mined(signed))).toMatchObject([{ status: 'pending', nonce: 7, sentAt: null }]);
      expect(repairs).toEqual(['reassigned']);
    },
  );

  it.each([
    [{ abandonedAs: 'expired' }, 'expired'],
    [{ isFiller: true }, 'canceled'],
  ] as const)('ends a transaction that has nothing left to execute: %j', async (given, status) => {
    expect(await findTaken(mined(null), undefined, given)).toEqual([{ status, statusReason: null }]);
    expect(repairs).toEqual([]);
    expect(settled).toHaveLength(1);
    const waiting = { ...given, statusReason: 'Over; its no-op waits for funds' };
    expect(await findTaken(mined(null), undefined, waiting)).toEqual([{ status, statusReason: 'Over' }]);
    const statusReason = 'Nonce 0 was used, but no node can tell by which transaction';
    expect(await findTaken(null, undefined, given)).toEqual([{ status, statusReason }]);
    // One of its attempts may have been paid for.
    expect(settled).toEqual([]);
    expect(await findTaken(null, undefined, given, false)).toEqual([]);
    // A node may not have indexed the block of one of its attempts yet.
    expect(await findTaken(null, undefined, given, true, 599_999)).toEqual([]);
  });

  it('ends a request whose nonce was used elsewhere once valid_until has passed', async () => {
    const expired = { status: 'expired', abandonedAs: 'expired' };
    const statusReason = 'Expired: valid_until has passed';
    const given = { validUntil: new Date(Date.now() - 1000) };
    expect(await findTaken(mined(null), undefined, given)).toEqual([{ ...expired, statusReason }]);
    const unsigned = { ...given, status: 'pending', attempt: null } as const;
    expect(await findTaken(null, [], unsigned)).toEqual([{ ...expired, statusReason }]);
    const unknown = 'Nonce 0 was used, but no node can tell by which transaction';
    expect(await findTaken(null, undefined, given)).toEqual([{ ...expired, statusReason: unknown }]);
    expect(repairs).toEqual([]);
    const later = { validUntil: new Date(Date.now() + 60_000) };
    expect(await findTaken(mined(null), undefined, later)).toMatchObject([{ status: 'pending', nonce: 7 }]);
  });

  it('keeps a request whose nonce was used by an unknown transaction, and states how to end it', async () => {
    const statusReason =
      'Nonce 0 was used, but no node can tell by which transaction: it ends if it is canceled';
    expect(await findTaken(null)).toEqual([{ statusReason }]);
    expect(await findTaken(null, undefined, { statusReason })).toEqual([]);
    expect(await findTaken(null, undefined, {}, false)).toEqual([]);
    expect(repairs).toEqual([]);
  });

  it('treats a search that nodes never complete like one that finds nothing', async () => {
    const failed = new RpcUnavailableError('timeout');
    expect(await findTaken(failed, undefined, { abandonedAs: 'canceled' })).toMatchObject([
      { status: 'canceled' },
    ]);
    expect(await findTaken(failed)).toMatchObject([
      { statusReason: expect.stringMatching('ends if it is canceled$') as string },
    ]);
    const unsigned = { status: 'pending', attempt: null } as const;
    expect(await findTaken(failed, [], unsigned)).toMatchObject([{ status: 'pending', nonce: 7 }]);
    // It may have been executed; the next search may find out.
    expect(await findTaken(failed, [], unsigned, true, 599_999)).toEqual([]);
    await expect(findTaken(new Error('bug'))).rejects.toThrow('bug');
  });

  it('does not require that the state has lasted before a search that took long enough itself', async () => {
    state = { ...USUAL, hasLasted: false };
    expect(await findTaken(null, [], UNSIGNED)).toEqual([]);
    state = { ...state, lastsAfterSearch: true };
    expect(await findTaken(null, [], UNSIGNED)).toMatchObject([{ status: 'pending', nonce: 7 }]);
  });

  it('does not execute a request twice when the chain has one of its attempts under another hash', async () => {
    expect(await findTaken(mined(signature('a')))).toEqual([
      { hashes: ['0x1', '0x2', '0x9'], attempt: { ...attempt('0x1', 'a'), data: 'data in bytes of 0x1' } },
    ]);
    state = { ...USUAL, arePurged: true };
    expect(await findTaken(mined(signature('a')))).toEqual([
      { hashes: ['0x1', '0x2', '0x9'], attempt: attempt('0x1', 'a') },
    ]);
  });

  it('stores no more hashes than attempts can have, whatever a node reports', async () => {
    expect(await findTaken(mined(signature('a')), ['0x1', '0x2', '0x3', '0x4'])).toEqual([]);
  });

  describe('when an attempt whose record was lost has executed the request', () => {
    const lost = mined(signature('c'), 'same content');
    const attemptOfChain = { ...attempt('0x9', ''), signature: signature('c') };

    it.each([{}, { abandonedAs: 'canceled' }, { validUntil: new Date(0) }] as const)(
      'adds it to the attempts: %j',
      async (given) => {
        expect(await findTaken(lost, undefined, given)).toEqual([
          {
            ...{ status: 'submitted', hashes: ['0x1', '0x2', '0x9'], attempt: attemptOfChain },
            ...{ needsAttempt: false, signedBlock: 100 },
          },
        ]);
        expect(inserted).toMatchObject([
          { transactionId: 't', number: 3, kind: 'request', nonce: 0, hash: '0x9', raw: 'same content' },
        ]);
        expect(repairs).toEqual(['adopted']);
        expect(settled).toEqual([]);
      },
    );

    it('adds it to a request that is not signed yet, as far as the service knows', async () => {
      const unsigned = { status: 'pending', attempt: null } as const;
      expect(await findTaken(lost, [], unsigned)).toMatchObject([
        { status: 'sent', hashes: ['0x9'], signedBlock: 100 },
      ]);
      expect(inserted).toHaveLength(1);
    });

    it('restores its hash if only that was lost', async () => {
      const kept = mined(signature('c'), 'same content');
      kept.signed!.content.hash = '0x2';
      expect(await findTaken({ ...kept, hash: '0x2' }, ['0x1'])).toMatchObject([{ hashes: ['0x1', '0x2'] }]);
      expect(inserted).toEqual([]);
    });

    it('assigns a new nonce if it was mined while this instance knew all attempts', async () => {
      expect(await findTaken({ ...lost, block_number: 90 }, undefined, {}, true, 0, 102)).toMatchObject([
        { status: 'pending', nonce: 7 },
      ]);
    });

    it.each(['submitted', 'pending'] as const)('waits for finality if it is %s', async (status) => {
      expect(await findTaken({ ...lost, block_number: 89 }, undefined, { status })).toEqual([]);
      expect(await findTaken({ ...lost, block_number: 88 }, undefined, { status })).toHaveLength(1);
    });

    it.each([
      [65_000, 'adopted'],
      [65_001, 'reassigned'],
    ])('adds it only if its block, of 50 s, can be later than the request, of %d ms', async (ms, repair) => {
      await findTaken(lost, undefined, { createdAt: new Date(ms) });
      expect(repairs).toEqual([repair]);
    });

    it('ends a filler: its content is no request', async () => {
      expect(await findTaken(lost, undefined, { isFiller: true })).toEqual([
        { status: 'canceled', statusReason: null },
      ]);
    });
  });
});
