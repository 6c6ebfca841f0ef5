import { FakePool, type Sayings } from '../../../../test/support/fake-pool';
import { SeededRandom } from '../../../../test/support/seeded-random';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import { findMined } from './find-mined';

const ALICE = '0x00000000000000000000000000000000000000A1';
const OTHER = '0x00000000000000000000000000000000000000b2';

const R = '0xa1';
const S = `0x${'B2'.repeat(32)}`;
const SIGNED = { r: 'a1'.padStart(64, '0'), s: 'b2'.repeat(32) };

interface Transaction {
  hash: string;
  from: string;
  nonce: string;
  r?: unknown;
  s?: unknown;
}

/** A chain whose blocks have transactions of one account among those of others. */
class Chain {
  /** Nonces of the account, by block. */
  private readonly nonces: number[][];
  /** State before this block is gone. */
  oldestState = 0;

  constructor(nonces: number[][]) {
    this.nonces = nonces;
  }

  get sayings(): Sayings {
    return {
      eth_getTransactionCount: ([, tag]) => this.count(Number(tag)),
      eth_getBlockByNumber: ([tag]) => ({
        result: {
          number: tag,
          transactions: this.transactions(Number(tag)).map(({ hash }) => hash),
        },
      }),
      eth_getTransactionByHash: ([hash]) => ({
        result:
          this.nonces
            .flatMap((_nonces, block) => this.transactions(block))
            .find((transaction) => transaction.hash === hash) ?? null,
      }),
    };
  }

  hashOf(nonce: number): string {
    return `0x${nonce.toString(16).padStart(64, 'a')}`;
  }

  private count(block: number): JsonRpcResponse {
    if (block < this.oldestState)
      return { error: { code: -32000, message: 'missing trie node 12 (path ) state is not available' } };
    const used = this.nonces.slice(0, block + 1).flat();
    return { result: `0x${used.length.toString(16)}` };
  }

  private transactions(block: number): Transaction[] {
    const others = Array.from({ length: 120 }, (_, i) => ({
      hash: `0x${(block * 1000 + i).toString(16).padStart(64, 'b')}`,
      from: OTHER,
      nonce: `0x${i.toString(16)}`,
    }));
    const own = (this.nonces[block] ?? []).map((nonce) => ({
      hash: this.hashOf(nonce),
      from: ALICE.toLowerCase(),
      nonce: `0x${nonce.toString(16)}`,
      ...{ r: R, s: S },
    }));
    return [...others, ...own];
  }
}

describe('findMined', () => {
  const chain = new Chain([[], [0], [], [1, 2], [3], [], [], [4], []]);

  it.each([
    [0, 1],
    [1, 3],
    [2, 3],
    [3, 4],
    [4, 7],
  ])('finds the transaction with the nonce %d in block %d', async (nonce, blockNumber) => {
    const { pool } = await FakePool.start(chain.sayings);
    const found = { hash: chain.hashOf(nonce), blockNumber, ...SIGNED };
    expect(await findMined(pool, ALICE, nonce, 0, 8)).toEqual(found);
    expect(await findMined(pool, ALICE, nonce, blockNumber, blockNumber)).toEqual(found);
    expect(await findMined(pool, ALICE, nonce, blockNumber + 1, 8)).toBeNull();
    expect(await findMined(pool, ALICE, nonce, 0, blockNumber - 1)).toBeNull();
  });

  it('finds none that was not used, nor between no blocks', async () => {
    const { pool } = await FakePool.start(chain.sayings);
    expect(await findMined(pool, ALICE, 5, 0, 8)).toBeNull();
    expect(await findMined(pool, ALICE, 0, 5, 4)).toBeNull();
  });

  it.each([undefined, null, 5, 'x', `0x${'1'.repeat(65)}`])(
    'finds it where the signature is %j',
    async (r) => {
      const { sayings } = chain;
      const { pool } = await FakePool.start({
        ...sayings,
        eth_getTransactionByHash: ([hash]) => ({
          result: { hash, from: ALICE, nonce: hash === chain.hashOf(4) ? '0x4' : '0x9', r, s: S },
        }),
      });
      const found = { hash: chain.hashOf(4), blockNumber: 7, r: null, s: SIGNED.s };
      expect(await findMined(pool, ALICE, 4, 0, 8)).toEqual(found);
    },
  );

  it('asks for few blocks', async () => {
    const nonces = Array.from({ length: 1000 }, (_, i) => (i === 612 ? [0] : []));
    const { pool, nodes } = await FakePool.start(new Chain(nonces).sayings);
    expect(await findMined(pool, ALICE, 0, 0, 999)).toMatchObject({ blockNumber: 612 });
    expect(nodes.count('https://first.example', 'eth_getTransactionCount')).toBeLessThanOrEqual(12);
    expect(nodes.count('https://first.example', 'eth_getBlockByNumber')).toBe(1);
  });

  it('finds it where nodes have no older state, unless it is older', async () => {
    const pruned = new Chain([[], [0], [], [1, 2], [3], [], [], [4], []]);
    pruned.oldestState = 4;
    const { pool } = await FakePool.start(pruned.sayings, pruned.sayings);
    expect(await findMined(pool, ALICE, 4, 0, 8)).toMatchObject({ blockNumber: 7 });
    expect(await findMined(pool, ALICE, 0, 0, 8)).toBeNull();
  });

  it('finds none where the account used the nonce without a transaction of its own', async () => {
    const sayings = {
      ...chain.sayings,
      eth_getTransactionCount: ([, tag]: readonly unknown[]) => ({
        result: Number(tag) >= 5 ? '0xa' : '0x0',
      }),
    };
    const { pool } = await FakePool.start(sayings);
    expect(await findMined(pool, ALICE, 9, 0, 8)).toBeNull();
  });

  it.each<[string, unknown]>([
    ['eth_getTransactionCount', null],
    ['eth_getTransactionCount', '-0x1'],
    ['eth_getTransactionCount', {}],
    ['eth_getBlockByNumber', {}],
    ['eth_getBlockByNumber', []],
    ['eth_getBlockByNumber', { number: '0x7' }],
    ['eth_getBlockByNumber', { number: '0x6', transactions: [] }],
    ['eth_getBlockByNumber', { number: '0x7', transactions: null }],
    ['eth_getBlockByNumber', { number: '0x7', transactions: ['0x1'] }],
    ['eth_getBlockByNumber', { number: '0x7', transactions: [{ hash: '0x1' }] }],
    ['eth_getTransactionByHash', {}],
    ['eth_getTransactionByHash', 'x'],
    ['eth_getTransactionByHash', { hash: `0x${'00'.repeat(32)}`, from: ALICE, nonce: '0x4' }],
  ])('asks another node after %s %j', async (method, result) => {
    const fake = await FakePool.start({ ...chain.sayings, [method]: { result } }, chain.sayings);
    expect(await findMined(fake.pool, ALICE, 4, 0, 8)).toEqual({
      ...{ hash: chain.hashOf(4), blockNumber: 7 },
      ...SIGNED,
    });
    expect(fake.states).toEqual(['resting', 'ready']);
  });

  it('ends, and finds no wrong one, whatever nonces a node tells', async () => {
    const random = new SeededRandom('find mined');
    for (let i = 0; i < 100; i += 1) {
      const { pool } = await FakePool.start({
        ...chain.sayings,
        eth_getTransactionCount: () => ({ result: `0x${random.below(6).toString(16)}` }),
      });
      const nonce = random.below(5);
      const found = await findMined(pool, ALICE, nonce, random.below(9), random.below(9));
      if (found) expect(found.hash).toBe(chain.hashOf(nonce));
    }
  });
});
