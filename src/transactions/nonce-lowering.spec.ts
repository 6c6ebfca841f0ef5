import type { OngoingAccess } from '../access/ongoing-access';
import type { AuditEntry } from '../audit/audit-entry';
import type { AuditLog } from '../audit/audit-log';
import { DomainError } from '../common/errors/domain-error';
import type { UnitOfWork } from '../database/unit-of-work';
import type { ActingRelayer } from '../relayers/relayer.entity';
import type { RelayersService } from '../relayers/relayers.service';
import type { AccountLedger } from './accepting/account-ledger';
import type { NonceEvents } from './nonce-events';
import { NonceLowering } from './nonce-lowering';
import type { TransactionMetrics } from './transaction.metrics';
import type { TransactionRows } from './transaction-rows';
import type { TransactionEntity } from './transaction.entity';
import type { TransactionStatus } from './transaction-status';

const RELAYER = { id: 'r', signerId: 's', notificationId: null } as ActingRelayer;
const REVOKED = new DomainError('unauthorized', 'Unauthorized');
const LIE = 1_000_000;

type Owner = [nonce: number, status: TransactionStatus];

/** Lowers a ledger whose nonces have these owners. @returns the assigned nonces, and the nonces afterwards */
async function lower(
  nextNonce: number,
  chainNonce: number,
  owners: readonly Owner[],
  signedMeanwhile?: number,
  filledMeanwhile?: number,
  mayContinue: (units: number) => boolean = () => true,
) {
  const all = owners.map(([nonce, status]) => ({
    id: `t${nonce}`,
    nonce,
    status,
    version: 1,
    statusReason: null,
  }));
  const assigned: number[] = [];
  const entries: AuditEntry[] = [];
  let units = 0;
  const rows = {
    repository: {
      findOne: ({ where }: { where: { nonce?: { value: number } } }) => {
        const isFound = ({ nonce, status }: (typeof all)[number]): boolean =>
          where.nonce ? nonce < where.nonce.value : status !== 'pending';
        return Promise.resolve(all.filter(isFound).at(-1) ?? null);
      },
    },
    find: ({ where, take, lock }: { where: { nonce: { value: number } }; take: number; lock: string }) => {
      expect(lock).toBe('wait');
      const found = all.filter(({ nonce }) => nonce >= where.nonce.value).slice(0, take);
      return Promise.resolve(
        found.map((row) => ({ ...row, status: row.nonce === signedMeanwhile ? 'sent' : row.status })),
      );
    },
    renumber: (moves: { row: TransactionEntity; nonce: number }[]) => {
      for (const { row, nonce } of moves) {
        expect(all.map((each) => each.nonce)).not.toContain(nonce);
        all.find(({ id }) => id === row.id)!.nonce = nonce;
      }
      return Promise.resolve();
    },
  } as unknown as TransactionRows;
  const ledger = {
    findToChange: () => Promise.resolve({ relayerId: 'r', nextNonce, chainId: '10' }),
    lower: (_ledger: object, next: number) => Promise.resolve(assigned.push(next)),
  } as unknown as AccountLedger;
  const lowering = new NonceLowering(
    {
      run: <T>(work: () => Promise<T>) => {
        units += 1;
        if (units === 2 && filledMeanwhile !== undefined) {
          all.push({ ...all[0]!, id: 'filler', nonce: filledMeanwhile });
          all.sort((one, other) => one.nonce - other.nonce);
        }
        return work();
      },
    } as UnitOfWork,
    rows,
    ledger,
    { record: () => Promise.resolve() } as unknown as NonceEvents,
    { countRepair: () => undefined } as unknown as TransactionMetrics,
    { record: (entry: AuditEntry) => Promise.resolve(entries.push(entry)) } as unknown as AuditLog,
    { recheck: () => (mayContinue(units) ? undefined : Promise.reject(REVOKED)) } as unknown as OngoingAccess,
    { getOrThrow: () => Promise.resolve(RELAYER) } as unknown as RelayersService,
  );
  const isLowered = await lowering.lower('a', RELAYER, chainNonce).catch((error: unknown) => error);
  return { isLowered, assigned, units, entries, nonces: all.map(({ nonce }) => nonce) };
}

describe('NonceLowering', () => {
  it.each<[string, number, Owner[], number, number[]]>([
    ['of an account without transactions', 3, [], 3, []],
    ['behind what is final', 2, [[1, 'confirmed']], 2, [1]],
    [
      'with requests that follow',
      2,
      [
        [1, 'confirmed'],
        [LIE, 'pending'],
        [LIE + 1, 'pending'],
      ],
      4,
      [1, 2, 3],
    ],
    [
      'behind what is open',
      2,
      [
        [2, 'submitted'],
        [3, 'sent'],
        [4, 'pending'],
        [LIE, 'pending'],
      ],
      6,
      [2, 3, 4, 5],
    ],
    [
      'where the chain lags behind',
      0,
      [
        [7, 'confirmed'],
        [LIE, 'pending'],
      ],
      9,
      [7, 8],
    ],
  ])('lowers a ledger %s', async (_what, chainNonce, owners, next, nonces) => {
    const done = { isLowered: true, assigned: [next], nonces };
    expect(await lower(LIE + 2, chainNonce, owners)).toMatchObject(done);
  });

  it.each<[string, number, number, Owner[]]>([
    ['above which the chain is', 5, 9, [[4, 'confirmed']]],
    [
      'that is as it should be',
      6,
      4,
      [
        [4, 'submitted'],
        [5, 'pending'],
      ],
    ],
    [
      'with the highest nonce of which anything was signed',
      LIE + 1,
      2,
      [
        [3, 'pending'],
        [LIE, 'sent'],
      ],
    ],
  ])('leaves a ledger %s', async (_what, nextNonce, chainNonce, owners) => {
    const nonces = owners.map(([nonce]) => nonce);
    expect(await lower(nextNonce, chainNonce, owners)).toMatchObject({
      isLowered: false,
      assigned: [],
      nonces,
      entries: [],
    });
  });

  it('records which nonces changed, in the audit log', async () => {
    const { entries } = await lower(LIE + 2, 2, [
      [1, 'confirmed'],
      [LIE, 'pending'],
      [LIE + 1, 'pending'],
    ]);
    expect(entries).toEqual([
      {
        action: 'relayer.sync_nonce',
        relayerId: 'r',
        signerId: 's',
        changes: {
          next_nonce: { before: LIE + 2, after: 4 },
          transaction_nonces: {
            before: { [`t${LIE}`]: LIE, [`t${LIE + 1}`]: LIE + 1 },
            after: { [`t${LIE}`]: 2, [`t${LIE + 1}`]: 3 },
          },
        },
      },
    ]);
  });

  it('moves many requests in batches', async () => {
    const many = Array.from({ length: 120 }, (_, i): Owner => [LIE + i, 'pending']);
    const { assigned, nonces, units, entries } = await lower(LIE + 120, 2, many);
    expect(nonces).toEqual(Array.from({ length: 120 }, (_, i) => 2 + i));
    expect([assigned, units]).toEqual([[122], 3]);
    expect(entries.map(({ changes }) => changes?.next_nonce?.after)).toEqual([LIE + 120, LIE + 120, 122]);
  });

  it('moves no further batch once the caller has lost its rights', async () => {
    const many = Array.from({ length: 120 }, (_, i): Owner => [LIE + i, 'pending']);
    const result = await lower(LIE + 120, 2, many, undefined, undefined, (units) => units === 0);
    expect(result).toMatchObject({ isLowered: REVOKED, units: 1, assigned: [] });
  });

  it('moves requests past a nonce that was filled between two batches', async () => {
    const many = Array.from({ length: 60 }, (_, i): Owner => [LIE + i, 'pending']);
    const { assigned, nonces } = await lower(LIE + 60, 2, many, undefined, 53);
    expect(nonces.slice(0, 51)).toEqual([...Array.from({ length: 50 }, (_, i) => 2 + i), 53]);
    expect(nonces.slice(51)).toEqual(Array.from({ length: 10 }, (_, i) => 54 + i));
    expect(assigned).toEqual([64]);
  });

  it('leaves the ledger unchanged when a request is signed at the same moment', async () => {
    const done = { isLowered: false, assigned: [], nonces: [LIE] };
    expect(await lower(LIE + 1, 2, [[LIE, 'pending']], LIE)).toMatchObject(done);
  });
});
