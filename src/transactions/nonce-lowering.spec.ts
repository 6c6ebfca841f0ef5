import type { UnitOfWork } from '../database/unit-of-work';
import type { ActingRelayer } from '../relayers/relayer.entity';
import type { AccountLedger } from './accepting/account-ledger';
import type { NonceEvents } from './nonce-events';
import { NonceLowering } from './nonce-lowering';
import type { TransactionMetrics } from './transaction.metrics';
import type { TransactionRows } from './transaction-rows';
import type { TransactionEntity } from './transaction.entity';
import type { TransactionStatus } from './transaction-status';

const RELAYER = { id: 'r', notificationId: null } as ActingRelayer;
const LIE = 1_000_000;

type Owner = [nonce: number, status: TransactionStatus];

/** Brings down a ledger whose nonces have these owners. @returns what was assigned, and the nonces afterwards */
async function lower(
  nextNonce: number,
  chainNonce: number,
  owners: readonly Owner[],
  signedMeanwhile?: number,
) {
  const all = owners.map(([nonce, status]) => ({
    id: `t${nonce}`,
    nonce,
    status,
    version: 1,
    statusReason: null,
  }));
  const assigned: number[] = [];
  const rows = {
    repository: {
      findOne: () => Promise.resolve(all.filter(({ status }) => status !== 'pending').at(-1) ?? null),
    },
    find: ({ where }: { where: { nonce: { value: number } } }) =>
      Promise.resolve(
        all
          .filter(({ nonce, status }) => status === 'pending' && nonce >= where.nonce.value)
          .map((row) => ({ ...row })),
      ),
    findToChange: (id: string) => {
      const row = all.find((each) => each.id === id);
      return Promise.resolve(row && { ...row, version: row.nonce === signedMeanwhile ? 2 : 1 });
    },
    changeProtected: ({ id }: TransactionEntity, { nonce }: { nonce: number }) => {
      expect(all.map((row) => row.nonce)).not.toContain(nonce);
      all.find((row) => row.id === id)!.nonce = nonce;
      return Promise.resolve();
    },
  } as unknown as TransactionRows;
  const ledger = {
    findToChange: () => Promise.resolve({ relayerId: 'r', nextNonce, chainId: '10' }),
    assign: (_ledger: object, _relayer: string, next: number) => Promise.resolve(assigned.push(next)),
  } as unknown as AccountLedger;
  const lowering = new NonceLowering(
    { run: <T>(work: () => Promise<T>) => work() } as UnitOfWork,
    rows,
    ledger,
    { record: () => Promise.resolve() } as unknown as NonceEvents,
    { countRepair: () => undefined } as unknown as TransactionMetrics,
  );
  const isLowered = await lowering.lower('a', RELAYER, chainNonce);
  return { isLowered, assigned, nonces: all.map(({ nonce }) => nonce) };
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
  ])('brings a ledger down %s', async (_what, chainNonce, owners, next, nonces) => {
    const done = { isLowered: true, assigned: [next], nonces };
    expect(await lower(LIE + 2, chainNonce, owners)).toEqual(done);
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
    expect(await lower(nextNonce, chainNonce, owners)).toEqual({ isLowered: false, assigned: [], nonces });
  });

  it('leaves the ledger where a request is signed at the same moment', async () => {
    const done = { isLowered: false, assigned: [], nonces: [LIE] };
    expect(await lower(LIE + 1, 2, [[LIE, 'pending']], LIE)).toEqual(done);
  });
});
