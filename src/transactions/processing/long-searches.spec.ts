import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { Inclusion } from '../../chains/transaction-chain';
import type { SpendLimits } from '../spending/spend-limits';
import type { Decision, TransactionRows } from '../transaction-rows';
import type { TransactionEntity } from '../transaction.entity';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { LongWaits } from './long-waits';
import type { NonceTakers } from './nonce-takers';
import { TransactionWatch } from './transaction-watch';

const INCLUSION: Inclusion = {
  ...{ hash: '', block_number: 100, block_hash: '0xb', succeeded: true, gas_used: '21000', fee: '1' },
};
const SEARCH_MS = 2000;
const LASTING_MS = 20_000;

/**
 * Transactions whose nonces were used by something that a search, which takes two seconds each, does not find.
 *
 * @param given how long it takes to read receipts, and whether another transaction is mined in each step
 */
function start(count: number, { receiptsMs = 0, isBusy = false } = {}) {
  let now = 0;
  const clock = (): number => now;
  const searched: number[] = [];
  const rowOf = (nonce: number): TransactionEntity =>
    newTransaction({
      ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
      ...{ status: 'submitted' as const, hashes: [`0x${nonce}`] },
    });
  let rows = Array.from({ length: count }, (_, nonce) => rowOf(nonce));
  let next = count;
  const stored = {
    attemptsOf: () => Promise.resolve([]),
    bytesOf: () => Promise.resolve(null),
    changeAll: (decisions: Decision[]) => {
      rows = rows.filter(({ id }) => !decisions.some(({ row }) => row.id === id));
      return Promise.resolve(decisions.map(({ row }) => row));
    },
  } as unknown as TransactionRows;
  const takers = {
    find: (_context: LaneContext, { nonce }: { nonce: number }, hasLasted: boolean) => {
      if (hasLasted) {
        searched.push(nonce);
        now += SEARCH_MS;
      }
      return Promise.resolve(true);
    },
  } as unknown as NonceTakers;
  const none = {} as never;
  const spending = { settle: () => Promise.resolve() } as unknown as SpendLimits;
  const watch = new TransactionWatch(separateUnits, stored, spending, none, takers);
  const waits = new LongWaits(clock);
  let memory = new LaneMemory(clock, waits);
  /** @returns the nonces for which it was searched */
  const step = async (): Promise<number[]> => {
    searched.length = 0;
    const mined = new Map<string, Inclusion>();
    if (isBusy) {
      const row = rowOf(next);
      rows.push(row);
      next += 1;
      const [hash = ''] = row.hashes;
      mined.set(hash, { ...INCLUSION, hash });
    }
    const context = {
      ...{ memory, view: { head: 100, nonce: next, reported: next } },
      ...{ ledger: { address: '0x' }, relayer: { id: 'r' } },
      chain: {
        inclusions: () => {
          now += receiptsMs;
          return Promise.resolve(mined);
        },
        inclusionsOfHalf: () => Promise.resolve([]),
      },
    } as unknown as LaneContext;
    await watch.findMined(context, (limit, after) =>
      Promise.resolve(rows.filter(({ nonce }) => nonce > after).slice(0, limit)),
    );
    return [...searched];
  };
  /** Another lease, in which nonces are in doubt at first. */
  const again = async (): Promise<number[]> => {
    memory = new LaneMemory(clock, waits);
    const first = await step();
    now += LASTING_MS;
    return first;
  };
  return { step, again };
}

describe('A search for what used nonces', () => {
  it('ends after ten seconds, and the next step continues it', async () => {
    const { step, again } = start(400);
    expect(await again()).toEqual([]);
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
    expect(await step()).toEqual([5, 6, 7, 8, 9]);
  });

  it('has its time beside that for receipts', async () => {
    const { step, again } = start(400, { receiptsMs: 11_000 });
    expect(await again()).toEqual([]);
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
    expect(await step()).toEqual([5, 6, 7, 8, 9]);
  });

  it('begins again in the end although transactions are mined in each step', async () => {
    const { step, again } = start(7, { isBusy: true });
    expect(await again()).toEqual([]);
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
    expect(await step()).toEqual([5, 6]);
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
  });

  it('is continued in the next lease, and begins again with the lowest nonce in the end', async () => {
    const { step, again } = start(7);
    await again();
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
    expect(await again()).toEqual([]);
    expect(await step()).toEqual([5, 6]);
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
  });
});
