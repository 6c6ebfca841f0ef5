import { separateUnits } from '../../../test/support/separate-units';
import type { Inclusion } from '../../chains/transaction-chain';
import { newTransaction } from '../new-transaction';
import type { Decision, TransactionRows } from '../transaction-rows';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import type { NonceTakers } from './nonce-takers';
import { TransactionWatch } from './transaction-watch';

const INCLUSION: Inclusion = {
  ...{ hash: '0x1', block_number: 50, block_hash: '0xb', succeeded: true },
  ...{ gas_used: '21000', fee: '1' },
};

/**
 * Follows transactions whose nonces were used, and of whose receipts the endpoint that is called knows nothing.
 *
 * @param included whether half of the endpoints have the receipt that one reports
 * @returns the new status of each, and how often it was searched what used a nonce
 */
async function follow(included: boolean): Promise<[statuses: unknown[], searches: number]> {
  const statuses: unknown[] = [];
  let searches = 0;
  const rows = {
    attemptsOf: () => Promise.resolve([]),
    changeAll: (decisions: Decision[]) => {
      statuses.push(...decisions.map(({ changes }) => changes.status));
      return Promise.resolve([]);
    },
  } as unknown as TransactionRows;
  const takers = { find: () => Promise.resolve((searches += 1) > 0) } as unknown as NonceTakers;
  const none = {} as never;
  const spending = { settle: () => Promise.resolve() } as never;
  const watch = new TransactionWatch(separateUnits, rows, spending, none, takers);
  let now = 0;
  const memory = new LaneMemory(() => now);
  const row = newTransaction({
    ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 1, request: {}, hashes: ['0x1'] },
    ...{ status: 'submitted' as const, needsAttempt: false },
  });
  for (; now <= 30_000; now += 30_000) {
    const context = {
      ...{ memory, view: { head: 100 + now / 1000, nonce: 2, reported: 2 } },
      ...{ ledger: { address: '0x' }, relayer: { id: 'r' } },
      chain: {
        inclusions: () => Promise.resolve(new Map()),
        inclusionsOfHalf: () => Promise.resolve(included ? [INCLUSION] : []),
      },
    } as unknown as LaneContext;
    await watch.findMined(context, (_limit, after) => Promise.resolve(after < 1 ? [row] : []));
  }
  return [statuses, searches];
}

describe('A receipt that the endpoint that is called lacks', () => {
  it('counts once that has lasted, if half of the endpoints have it', async () => {
    expect(await follow(true)).toEqual([['mined'], 1]);
  });

  it('does not prevent the search for what used the nonce, if a single one of three has it', async () => {
    expect(await follow(false)).toEqual([[], 2]);
  });
});
