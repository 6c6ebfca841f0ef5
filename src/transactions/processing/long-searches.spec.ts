import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { LongWaits } from './long-waits';
import type { NonceTakers } from './nonce-takers';
import { TransactionWatch } from './transaction-watch';

const SEARCH_MS = 2000;
const LASTING_MS = 20_000;

/** Transactions whose nonces were used by something that a search, which takes two seconds each, does not find. */
function start(count: number) {
  let now = 0;
  const clock = (): number => now;
  const searched: number[] = [];
  const rows = Array.from({ length: count }, (_, nonce) =>
    newTransaction({
      ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
      ...{ status: 'submitted' as const, hashes: [`0x${nonce}`] },
    }),
  );
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
  const watch = new TransactionWatch(separateUnits, none, none, none, takers);
  const waits = new LongWaits(clock);
  let memory = new LaneMemory(clock, waits);
  /** @returns the nonces for which it was searched */
  const step = async (): Promise<number[]> => {
    searched.length = 0;
    const context = {
      ...{ memory, view: { head: 100, nonce: count, reported: count } },
      ...{ ledger: { address: '0x' }, relayer: { id: 'r' } },
      chain: {
        inclusions: () => Promise.resolve(new Map()),
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

  it('is continued in the next lease, and begins again with the lowest nonce in the end', async () => {
    const { step, again } = start(7);
    await again();
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
    expect(await again()).toEqual([]);
    expect(await step()).toEqual([5, 6]);
    expect(await step()).toEqual([0, 1, 2, 3, 4]);
  });
});
