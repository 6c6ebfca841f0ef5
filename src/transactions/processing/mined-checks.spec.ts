import type { FinalCandidate, Inclusion } from '../../chains/transaction-chain';
import { separateUnits } from '../../../test/support/separate-units';
import { newTransaction } from '../new-transaction';
import type { LaneContext } from './lane-context';
import { LaneMemory } from './lane-memory';
import { TransactionWatch } from './transaction-watch';

const BLOCK = 50;
const CONFIRMATIONS = 12;
const INCLUSION: Inclusion = {
  ...{ hash: '0x1', block_number: BLOCK, block_hash: '0xb', succeeded: true },
  ...{ gas_used: '21000', fee: '1' },
};

/** A mined transaction of nonce 3, on which endpoints do not agree yet. */
function start() {
  const row = newTransaction({
    ...{ id: 't', accountId: 'a', relayerId: 'r', sender: '0x', nonce: 3, request: {} },
    ...{ status: 'mined', hashes: ['0x1'], inclusion: INCLUSION },
  });
  const none = {} as never;
  const watch = new TransactionWatch(separateUnits, none, none, none, none);
  const memory = new LaneMemory(() => 0);
  /** @returns whether it is checked with this newest block, and whether endpoints are compared */
  const checks = async (head: number, nonce = 4): Promise<[boolean, boolean]> => {
    let isRead = false;
    let isCompared = false;
    const context = {
      ...{ ledger: { address: '0x' }, relayer: { id: 'r' }, memory, view: { head, nonce, reported: nonce } },
      chain: {
        requiredConfirmations: CONFIRMATIONS,
        inclusions: () => {
          isRead = true;
          return Promise.resolve(new Map([['0x1', INCLUSION]]));
        },
        agreedFinal: (_address: string, candidates: readonly FinalCandidate[]) => {
          isCompared = candidates.length > 0;
          return Promise.resolve(new Map());
        },
      },
    } as unknown as LaneContext;
    await watch.confirm(context, (_limit, after) => Promise.resolve(after < row.nonce ? [row] : []));
    return [isRead, isCompared];
  };
  return { checks, memory };
}

describe('A mined transaction', () => {
  it('is checked after 1, 2, 4 and 8 blocks, and with each block once it is deep enough', async () => {
    const { checks } = start();
    const checked: number[] = [];
    const compared: number[] = [];
    for (let depth = 0; depth <= CONFIRMATIONS + 1; depth += 1) {
      const [isRead, isCompared] = await checks(BLOCK + depth);
      if (isRead) checked.push(depth);
      if (isCompared) compared.push(depth);
    }
    expect(checked).toEqual([1, 2, 4, 8, CONFIRMATIONS, CONFIRMATIONS + 1]);
    expect(compared).toEqual([CONFIRMATIONS, CONFIRMATIONS + 1]);
  });

  it('is checked once if many blocks arrive together, and next at twice the depth', async () => {
    const { checks } = start();
    for (const [depth, isRead] of [
      [5, true],
      [6, false],
      [9, false],
      [10, true],
    ] as const)
      expect(await checks(BLOCK + depth)).toEqual([isRead, false]);
  });

  it('is checked at each step while the nonce of the account is not above it', async () => {
    const { checks } = start();
    for (const nonce of [3, 2, 3]) expect(await checks(BLOCK + 1, nonce)).toEqual([true, false]);
    expect(await checks(BLOCK, 4)).toEqual([false, false]);
  });

  it('is checked at each step if its block is above the newest one', async () => {
    const { checks } = start();
    for (let i = 0; i < 2; i += 1) expect(await checks(BLOCK - 1)).toEqual([true, false]);
  });

  it('is checked from the first block on again, once it was forgotten', async () => {
    const { checks, memory } = start();
    await checks(BLOCK + 4);
    expect(await checks(BLOCK + 1)).toEqual([false, false]);
    memory.forget('t');
    expect(await checks(BLOCK + 1)).toEqual([true, false]);
  });

  it('is checked whenever its nonce is unused again, however many lower ones are not due', async () => {
    const mined = [0, 1, 2, 3, 4].map((nonce) =>
      newTransaction({
        ...{ id: `t${nonce}`, accountId: 'a', relayerId: 'r', sender: '0x', nonce, request: {} },
        ...{ status: 'mined', hashes: [`0x${nonce}`], needsAttempt: false },
        inclusion: { ...INCLUSION, hash: `0x${nonce}` },
      }),
    );
    const asked: string[] = [];
    const none = {} as never;
    const watch = new TransactionWatch(separateUnits, none, none, none, none);
    const context = {
      ...{ ledger: { address: '0x' }, relayer: { id: 'r' }, memory: new LaneMemory(() => 0) },
      ...{ view: { head: BLOCK, nonce: 3, reported: 3 } },
      chain: {
        requiredConfirmations: CONFIRMATIONS,
        inclusions: (hashes: string[]) => {
          asked.push(...hashes);
          return Promise.resolve(new Map(hashes.map((hash) => [hash, { ...INCLUSION, hash }])));
        },
        agreedFinal: () => Promise.resolve(new Map()),
      },
    } as unknown as LaneContext;
    await watch.confirm(context, (_limit, after) =>
      Promise.resolve(mined.filter(({ nonce }) => nonce > after).slice(0, 1)),
    );
    expect(asked).toEqual(['0x3', '0x4']);
  });
});
