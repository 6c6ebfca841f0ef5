import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../../config/app-config';
import type { AttemptContent, Signature } from '../../chains/transaction-chain';
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
const LEDGER = { id: 'a', address: '0x', relayerId: 'r', nextNonce: 7, chainId: '10' };
const signature = (r: string): Signature => ({ r: r.repeat(64), s: '5'.repeat(64), v: 27 });
const attempt = (hash: string, r: string) =>
  ({ hash, kind: 'request', value: '1', signature: signature(r) }) as AttemptContent;

const repairs: string[] = [];
const settled: unknown[] = [];

/** Looks up a transaction with two attempts, whose nonce another hash has used. @returns the changes */
async function findTaken(
  taker: object | null,
  hashes = ['0x1', '0x2'],
  given: Partial<TransactionEntity> = {},
  isUsedElsewhere = true,
  unknownForMs = 600_000,
): Promise<TransactionChanges[]> {
  const changed: TransactionChanges[] = [];
  repairs.length = 0;
  settled.length = 0;
  const attempts = [attempt('0x1', 'a'), attempt('0x2', 'b')];
  const row = newTransaction({
    ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {} },
    ...{ status: 'submitted', attempt: attempts[1]!, hashes },
    ...given,
  });
  const change = (_row: TransactionEntity, changes: TransactionChanges) => {
    changed.push(changes);
    return Promise.resolve(row);
  };
  const rows = {
    ...{ change, changeProtected: change, findToChange: () => Promise.resolve(row) },
    attemptsOf: () => Promise.resolve(attempts.map((content) => ({ hash: content.hash, content }))),
  } as unknown as TransactionRows;
  const ledger = { findToChange: () => Promise.resolve(LEDGER), assign: () => Promise.resolve() };
  const takers = new NonceTakers(
    { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork,
    rows,
    ledger as unknown as AccountLedger,
    { settle: (after: unknown) => Promise.resolve(settled.push(after)) } as unknown as SpendLimits,
    { record: () => Promise.resolve() } as unknown as NonceEvents,
    { countRepair: (_chain: string, kind: string) => repairs.push(kind) } as unknown as TransactionMetrics,
    CONFIG,
  );
  const context = {
    ...{ ledger: LEDGER, relayer: { id: 'r' }, view: { head: 100, nonce: 1, reported: 1, poll: 1 } },
    memory: {
      forget: () => undefined,
      mayTry: () => true,
      failed: () => undefined,
      waits: { unknownFor: () => unknownForMs },
    },
    chain: {
      requiredConfirmations: 12,
      findMined: () => Promise.resolve(taker && { hash: '0x9', block_number: 50, ...taker }),
      isUsedElsewhere: (...asked: unknown[]) => {
        expect(asked).toEqual(['0x', 0, hashes]);
        return Promise.resolve(isUsedElsewhere);
      },
    },
  } as unknown as LaneContext;
  await takers.find(context, row, true, () => Promise.resolve(1));
  return changed;
}

describe('NonceTakers', () => {
  it.each([{ r: 'c'.repeat(64), s: '5'.repeat(64) }, { r: 'a'.repeat(64), s: '6'.repeat(64) }, {}])(
    'assigns a new nonce to a request when another transaction used its nonce, signed with %j',
    async (signed) => {
      expect(await findTaken(signed)).toMatchObject([{ status: 'pending', nonce: 7, sentAt: null }]);
      expect(repairs).toEqual(['reassigned']);
    },
  );

  it.each([
    [{ abandonedAs: 'expired' }, 'expired'],
    [{ isFiller: true }, 'canceled'],
  ] as const)('ends a transaction that has nothing left to execute: %j', async (given, status) => {
    expect(await findTaken({}, undefined, given)).toEqual([{ status }]);
    expect(repairs).toEqual([]);
    expect(settled).toHaveLength(1);
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
    expect(await findTaken({}, undefined, given)).toEqual([{ ...expired, statusReason }]);
    const unsigned = { ...given, status: 'pending', attempt: null } as const;
    expect(await findTaken(null, [], unsigned)).toEqual([{ ...expired, statusReason }]);
    const unknown = 'Nonce 0 was used, but no node can tell by which transaction';
    expect(await findTaken(null, undefined, given)).toEqual([{ ...expired, statusReason: unknown }]);
    expect(repairs).toEqual([]);
    const later = { validUntil: new Date(Date.now() + 60_000) };
    expect(await findTaken({}, undefined, later)).toMatchObject([{ status: 'pending', nonce: 7 }]);
  });

  it('keeps a request whose nonce was used by an unknown transaction, and states how to end it', async () => {
    const statusReason =
      'Nonce 0 was used, but no node can tell by which transaction: it ends if it is canceled';
    expect(await findTaken(null)).toEqual([{ statusReason }]);
    expect(await findTaken(null, undefined, { statusReason })).toEqual([]);
    expect(await findTaken(null, undefined, {}, false)).toEqual([]);
    expect(repairs).toEqual([]);
  });

  it('does not execute a request twice when the chain has one of its attempts under another hash', async () => {
    const { r, s } = signature('a');
    expect(await findTaken({ r, s })).toEqual([
      { hashes: ['0x1', '0x2', '0x9'], attempt: attempt('0x1', 'a') },
    ]);
  });

  it('stores no more hashes than attempts can have, whatever a node reports', async () => {
    const { r, s } = signature('a');
    expect(await findTaken({ r, s }, ['0x1', '0x2', '0x3', '0x4'])).toEqual([]);
  });
});
