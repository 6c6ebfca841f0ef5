import { separateUnits } from '../../../test/support/separate-units';
import { RpcUnavailableError } from '../../chains/rpc/endpoint-error';
import type { AttemptContent, FinalCandidate, Inclusion } from '../../chains/transaction-chain';
import { newTransaction } from '../new-transaction';
import type { SpendLimits } from '../spending/spend-limits';
import type { TransactionMetrics } from '../transaction.metrics';
import type { Decision, TransactionChanges, TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import type { NonceTakers } from './nonce-takers';
import { TransactionWatch } from './transaction-watch';

const MINED: Inclusion = {
  ...{ hash: '0x1', block_number: 50, block_hash: '0xb', succeeded: true },
  ...{ gas_used: '21000', fee: '1' },
};
const FAILED = { ...MINED, succeeded: false };

/** What the endpoints report about a transaction that is stored as mined. */
interface Reported {
  stored: Inclusion;
  /** By the endpoint that is called. */
  read: Inclusion | null;
  /** By most of them, deep enough. */
  agreed?: Inclusion;
  isStillIncluded?: boolean;
  /** The next nonce: by the endpoint that is called, and by most of them; null if too few respond. */
  nonce?: number;
  agreedNonce?: number | null;
}

/** The changes of the transaction after two checks that are far enough apart for a contradiction to be believed. */
async function changesBy(reported: Reported) {
  const { stored, read, agreed, isStillIncluded = false, nonce = 1, agreedNonce = 1 } = reported;
  const changes: TransactionChanges[] = [];
  const rows = {
    changeAll: (decisions: Decision[]) => {
      changes.push(...decisions.map((decision) => decision.changes));
      return Promise.resolve([]);
    },
    bytesOf: () => Promise.resolve('0x02'),
  } as unknown as TransactionRows;
  const spending = { settle: () => Promise.resolve() } as unknown as SpendLimits;
  const metrics = { countRepair: () => undefined } as unknown as TransactionMetrics;
  const watch = new TransactionWatch(separateUnits, rows, spending, metrics, {} as NonceTakers);
  let now = 0;
  const attempt = { hash: '0x1', kind: 'request', value: '1' } as AttemptContent;
  const row = newTransaction({
    ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 0, request: {}, attempt },
    ...{ status: 'mined', hashes: ['0x1'], inclusion: stored, needsAttempt: false },
  });
  const context = {
    ...{ ledger: { address: '0x', chainId: '10' }, relayer: { id: 'r' } },
    ...{ view: { head: 100, nonce, reported: nonce }, memory: new LaneMemory(() => now) },
    chain: {
      ...{ requiredConfirmations: 12, subjectOf: () => ({}), isSignedForm: () => true },
      inclusions: () => Promise.resolve(new Map(read ? [['0x1', read]] : [])),
      agreedFinal: (_address: string, [candidate]: FinalCandidate[]) =>
        Promise.resolve(new Map(candidate && agreed ? [['0x1', agreed]] : [])),
      inclusionsOfHalf: () => Promise.resolve(isStillIncluded ? [stored] : []),
      agreedCurrentNonce: () =>
        agreedNonce === null
          ? Promise.reject(new RpcUnavailableError('connection'))
          : Promise.resolve(agreedNonce),
    },
  } as unknown as LaneContext;
  for (; now <= 30_000 && changes.length === 0; now += 30_000)
    await watch.confirm(context, (_limit, after) => Promise.resolve(after < 0 ? [row] : []));
  return changes;
}

describe('A mined transaction', () => {
  it.each([FAILED, null])('is final as most endpoints report it, although one reports %j', async (read) => {
    const changes = await changesBy({ stored: MINED, read, agreed: MINED });
    expect(changes).toMatchObject([{ status: 'confirmed', inclusion: MINED }]);
  });

  it.each([FAILED, null])('gets the receipt of most endpoints instead of a stored one: %j', async (read) => {
    const changes = await changesBy({ stored: FAILED, read, agreed: MINED });
    expect(changes).toMatchObject([{ status: 'mined', inclusion: MINED }]);
  });

  it('is submitted again once its block is gone, but not while half of the endpoints have it', async () => {
    const gone = { stored: MINED, read: null };
    expect(await changesBy(gone)).toMatchObject([{ status: 'submitted' }]);
    expect(await changesBy({ ...gone, isStillIncluded: true })).toEqual([]);
  });

  it.each([
    ['that is read', { read: MINED }],
    ['that half of the endpoints have', { read: null, isStillIncluded: true }],
    ['whose block is far above the newest one', { read: { ...MINED, block_number: 2 ** 52 } }],
  ])('is submitted again if its nonce is unused, in spite of a receipt %s', async (_what, given) => {
    const unused = { stored: given.read ?? MINED, nonce: 0, ...given };
    expect(await changesBy({ ...unused, agreedNonce: 0 })).toMatchObject([
      { status: 'submitted', inclusion: null, broadcastAt: null },
    ]);
    // One of the endpoints lags behind, or too few respond.
    for (const agreedNonce of [1, null]) expect(await changesBy({ ...unused, agreedNonce })).toEqual([]);
  });

  it('stays mined while its nonce is unused, if its block is so new that the endpoint may lack it', async () => {
    const recent = { ...MINED, block_number: 95 };
    expect(await changesBy({ stored: recent, read: recent, nonce: 0, agreedNonce: 0 })).toEqual([]);
  });
});
