import {
  computeAddress,
  getAddress,
  hashAuthorization,
  SigningKey,
  toBeHex,
  toQuantity,
  Transaction,
  type TransactionLike,
} from 'ethers';
import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import { SeededRandom } from '../../../../test/support/seeded-random';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import type { RpcPool } from '../../rpc/rpc-pool';
import { CURVE_ORDER } from '../curve-order';
import { findMined } from './find-mined';

const KEY = new SigningKey(`0x${'a1'.repeat(32)}`);
const ALICE = computeAddress(KEY.publicKey);
const OTHER = '0x00000000000000000000000000000000000000b2';

type Json = Readonly<Record<string, unknown>>;

/** A transaction as nodes return it. */
function signed(fields: TransactionLike, key = KEY): Json & { hash: string } {
  const transaction = Transaction.from({
    ...{ type: 2, chainId: 1, gasLimit: 21_000, to: OTHER },
    ...fields,
  });
  transaction.signature = key.sign(transaction.unsignedHash);
  const { hash, nonce, type, chainId } = transaction;
  const { networkV, v, yParity, r, s } = Transaction.from(transaction.serialized).signature!;
  return {
    ...{ hash: hash!, from: ALICE.toLowerCase(), nonce: toBeHex(nonce), type: toBeHex(type!), gas: '0x5208' },
    ...{ chainId: toBeHex(chainId), to: OTHER, value: toBeHex(transaction.value), input: transaction.data },
    ...{ gasPrice: toBeHex(transaction.gasPrice ?? 7n), accessList: transaction.accessList },
    ...{ r: toQuantity(r), s: toQuantity(s), v: toBeHex(networkV ?? v) },
    ...(type !== 0 && { yParity: toQuantity(yParity) }),
    ...(type! > 1 && {
      maxFeePerGas: toQuantity(transaction.maxFeePerGas ?? 0),
      maxPriorityFeePerGas: toQuantity(transaction.maxPriorityFeePerGas ?? 0),
    }),
    ...(type === 3 && {
      maxFeePerBlobGas: toQuantity(transaction.maxFeePerBlobGas ?? 0),
      blobVersionedHashes: transaction.blobVersionedHashes,
    }),
    ...(type === 4 && {
      authorizationList: transaction.authorizationList?.map(({ address, nonce, chainId, signature }) => ({
        ...{ address, nonce: toQuantity(nonce), chainId: toQuantity(chainId) },
        ...{ r: toQuantity(signature.r), s: toQuantity(signature.s), yParity: toQuantity(signature.yParity) },
      })),
    }),
  };
}

/** The fields in which an OP stack deposit differs. */
const DEPOSIT = { type: '0x7e', r: '0x0', s: '0x0', v: '0x0' };

const digits = (value: unknown): string =>
  BigInt(value as string)
    .toString(16)
    .padStart(64, '0');

const findIn = (pool: RpcPool, nonce: number, head: number, hasOwnTypes = false) =>
  findMined(pool, { address: ALICE, nonce, chainId: '1', hasOwnTypes }, head);

/** A chain whose blocks contain transactions of one account among those of others. */
class Chain {
  /** The nonces of the account's transactions, by block. */
  private readonly nonces: number[][];
  private readonly blocks: ReturnType<Chain['transactions']>[];
  private readonly transactionsByHash: ReadonlyMap<string, Json>;
  private readonly signed = new Map<number, ReturnType<typeof signed>>();
  /** The state before this block is unavailable. */
  oldestState = 0;

  constructor(nonces: number[][]) {
    this.nonces = nonces;
    this.blocks = nonces.map((_nonces, block) => this.transactions(block));
    this.transactionsByHash = new Map(
      this.blocks.flat().map((transaction) => [transaction.hash, transaction]),
    );
  }

  get responses(): NodeResponses {
    return {
      eth_getTransactionCount: ([, tag]) => this.count(Number(tag)),
      eth_getBlockByNumber: ([tag]) => ({
        result: {
          number: tag,
          transactions: this.blocks[Number(tag)]?.map(({ hash }) => hash),
        },
      }),
      eth_getTransactionByHash: ([hash]) => ({
        result: this.transactionsByHash.get(hash as string) ?? null,
      }),
    };
  }

  hashOf(nonce: number): string {
    return this.own(nonce).hash;
  }

  /** Replaces the transaction with a nonce by another one. @param place the hash under which nodes return it */
  sayingsWith(nonce: number, other: Json, place = this.hashOf(nonce)): NodeResponses {
    const { eth_getTransactionByHash: original, ...responses } = this.responses;
    return {
      ...responses,
      eth_getTransactionByHash: (params) =>
        params[0] === place
          ? { result: { ...this.own(nonce), blockNumber: this.blockOf(nonce), ...other, hash: place } }
          : (original as (params: readonly unknown[]) => JsonRpcResponse)(params),
    };
  }

  own(nonce: number): ReturnType<typeof signed> {
    const known = this.signed.get(nonce) ?? signed({ nonce });
    this.signed.set(nonce, known);
    return known;
  }

  private blockOf(nonce: number): string {
    return toQuantity(this.nonces.findIndex((nonces) => nonces.includes(nonce)));
  }

  private count(block: number): JsonRpcResponse {
    if (block < this.oldestState)
      return { error: { code: -32000, message: 'missing trie node 12 (path ) state is not available' } };
    const used = this.nonces.slice(0, block + 1).flat();
    return { result: `0x${used.length.toString(16)}` };
  }

  private transactions(block: number): (Json & { hash: string })[] {
    const others = Array.from({ length: 120 }, (_, i) => ({
      hash: `0x${(block * 1000 + i).toString(16).padStart(64, 'b')}`,
      from: OTHER,
      nonce: `0x${i.toString(16)}`,
    }));
    const own = (this.nonces[block] ?? []).map((nonce) => ({
      ...this.own(nonce),
      blockNumber: toQuantity(block),
    }));
    return [...others, ...own];
  }
}

describe('findMined', () => {
  const chain = new Chain([[], [0], [], [1, 2], [3], [], [], [4], []]);
  const attemptOf = (nonce: number) => {
    const { hash, r, s, yParity } = chain.own(nonce);
    const content = {
      ...{ hash, kind: 'request', to: getAddress(OTHER), value: '0', gas_limit: '21000', gas_price: null },
      ...{ max_fee_per_gas: '0', max_priority_fee_per_gas: '0' },
      signature: { r: digits(r), s: digits(s), v: 27 + Number(yParity) },
    };
    return { signed: { raw: expect.stringMatching(/^0x02[0-9a-f]+$/) as string, content } };
  };

  it.each([
    [0, 1],
    [1, 3],
    [2, 3],
    [3, 4],
    [4, 7],
  ])('finds the transaction with the nonce %d in block %d', async (nonce, blockNumber) => {
    const { pool } = await FakePool.start(chain.responses);
    const found = { hash: chain.hashOf(nonce), block_number: blockNumber, ...attemptOf(nonce) };
    expect(await findIn(pool, nonce, 8)).toEqual(found);
    expect(await findIn(pool, nonce, blockNumber)).toEqual(found);
    expect(await findIn(pool, nonce, blockNumber - 1)).toBeNull();
  });

  it('returns null for an unused nonce', async () => {
    const { pool } = await FakePool.start(chain.responses);
    expect(await findIn(pool, 5, 8)).toBeNull();
  });

  it.each([undefined, null, 5, 'x', `0x${'1'.repeat(65)}`])(
    'finds a transaction of a chain-specific type, whatever its signature: %j',
    async (r) => {
      const { pool } = await FakePool.start(chain.sayingsWith(4, { ...DEPOSIT, r }));
      const found = { hash: chain.hashOf(4), block_number: 7, signed: null };
      expect(await findIn(pool, 4, 8, true)).toEqual(found);
    },
  );

  it('reads few blocks', async () => {
    const nonces = Array.from({ length: 1000 }, (_, i) => (i === 612 ? [0] : []));
    const { pool, nodes } = await FakePool.start(new Chain(nonces).responses);
    expect(await findIn(pool, 0, 999)).toMatchObject({ block_number: 612 });
    expect(nodes.count('https://first.example', 'eth_getTransactionCount')).toBeLessThanOrEqual(12);
    expect(nodes.count('https://first.example', 'eth_getBlockByNumber')).toBe(1);
  });

  it('finds a transaction within the state that nodes retain, and returns null for an older one', async () => {
    const pruned = new Chain([[], [0], [], [1, 2], [3], [], [], [4], []]);
    pruned.oldestState = 4;
    const { pool } = await FakePool.start(pruned.responses, pruned.responses);
    expect(await findIn(pool, 4, 8)).toMatchObject({ block_number: 7 });
    expect(await findIn(pool, 0, 8)).toBeNull();
  });

  it('returns null if the account used the nonce without sending a transaction', async () => {
    const responses = {
      ...chain.responses,
      eth_getTransactionCount: ([, tag]: readonly unknown[]) => ({
        result: Number(tag) >= 5 ? '0xa' : '0x0',
      }),
    };
    const { pool } = await FakePool.start(responses);
    expect(await findIn(pool, 9, 8)).toBeNull();
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
  ])('calls another node after %s %j', async (method, result) => {
    const fake = await FakePool.start({ ...chain.responses, [method]: { result } }, chain.responses);
    expect(await findIn(fake.pool, 4, 8)).toEqual({
      ...{ hash: chain.hashOf(4), block_number: 7 },
      ...attemptOf(4),
    });
    expect(fake.states).toEqual(['resting', 'ready']);
  });

  it('ends and returns no wrong transaction, whatever nonces a node reports', async () => {
    const random = new SeededRandom('find mined');
    for (let i = 0; i < 100; i += 1) {
      const { pool } = await FakePool.start({
        ...chain.responses,
        eth_getTransactionCount: () => ({ result: `0x${random.below(6).toString(16)}` }),
      });
      const nonce = random.below(5);
      const found = await findIn(pool, nonce, random.below(9));
      if (found) expect(found.hash).toBe(chain.hashOf(nonce));
    }
  });
});

describe('findMined accepts a transaction', () => {
  const chain = new Chain([[], [0], [], [1]]);
  const hash = chain.hashOf(1);
  const address = OTHER;
  const authorization = { address, nonce: 3n, chainId: 1n, signature: KEY.sign(`0x${'01'.repeat(32)}`) };
  const own = chain.own(1);
  const twin = {
    s: toQuantity(CURVE_ORDER - BigInt(own.s as string)),
    yParity: own.yParity === '0x0' ? '0x1' : '0x0',
  };

  it.each<[string, TransactionLike]>([
    ['legacy', { type: 0, gasPrice: 9 }],
    ['legacy for every chain', { type: 0, gasPrice: 9, chainId: 0 }],
    [
      'with an access list',
      { type: 1, gasPrice: 9, accessList: [{ address, storageKeys: [`0x${'02'.repeat(32)}`] }] },
    ],
    ['EIP-1559', { maxFeePerGas: 9, maxPriorityFeePerGas: 3, value: 5, data: '0x1234' }],
    ['with blobs', { type: 3, maxFeePerBlobGas: 2, blobVersionedHashes: [`0x01${'03'.repeat(31)}`] }],
    ['with an authorization', { type: 4, authorizationList: [authorization] }],
  ])('that the account has signed: %s', async (_what, fields) => {
    const other = signed({ nonce: 1, ...fields });
    const { pool } = await FakePool.start(chain.sayingsWith(1, other));
    const { r, s } = other;
    expect(await findIn(pool, 1, 3)).toMatchObject({
      ...{ hash, block_number: 3 },
      signed: { content: { signature: { r: digits(r), s: digits(s) } } },
    });
  });

  it.each<[string, Json]>([
    ['by another key', signed({ nonce: 1 }, new SigningKey(`0x${'b2'.repeat(32)}`))],
    ['for another chain', signed({ nonce: 1, chainId: 10 })],
    ['legacy for another chain', signed({ nonce: 1, type: 0, gasPrice: 9, chainId: 10 })],
    ['with another nonce', { ...signed({ nonce: 2 }), nonce: '0x1' }],
    ['with another value', { value: '0x1' }],
    ['without a signature', { r: null, s: null }],
    ['with the twin of a signature', twin],
    ['in another block', { blockNumber: '0x2' }],
    ['in no block', { blockNumber: null }],
    ['of a type of its own, where the chain has none', DEPOSIT],
  ])('but not if it was signed %s', async (_what, other) => {
    const { pool } = await FakePool.start(chain.sayingsWith(1, other));
    expect(await findIn(pool, 1, 3)).toBeNull();
  });

  const deposit = chain.sayingsWith(1, DEPOSIT);

  it('of a chain-specific type if two endpoints report it', async () => {
    const { pool } = await FakePool.start(deposit, deposit);
    expect(await findIn(pool, 1, 3)).toMatchObject({ hash, signed: null });
  });

  it.each([false, true])(
    'of a chain-specific type, but not if another endpoint contradicts; chain has such types: %j',
    async (has) => {
      const silent = { ...deposit, eth_getTransactionByHash: { result: null } };
      const { pool } = await FakePool.start(deposit, silent);
      expect(await findIn(pool, 1, 3, has)).toBeNull();
    },
  );
});

describe('findMined accepts an authorization', () => {
  const chain = new Chain([[], [0], [], [1]]);
  const hash = chain.hashOf(1);

  const authorization = ({ nonce = 1n, chainId = 1n, key = KEY } = {}): Json => {
    const { r, s, yParity } = key.sign(hashAuthorization({ address: OTHER, nonce, chainId }));
    return {
      ...{ address: OTHER, nonce: toQuantity(nonce), chainId: toQuantity(chainId) },
      ...{ r: toQuantity(r), s: toQuantity(s), yParity: toQuantity(yParity) },
    };
  };
  const listed = (...authorizationList: unknown[]): Json => ({
    ...{ type: '0x4', from: OTHER, nonce: '0x7', authorizationList },
  });
  const sayingsOf = (...list: unknown[]): NodeResponses => chain.sayingsWith(1, listed(...list));
  const found = { hash, block_number: 3, signed: null };

  it.each([1n, 0n])('that the account has signed for chain %d', async (chainId) => {
    const others = [authorization({ nonce: 3n }), null, {}];
    const responses = sayingsOf(...others, authorization({ chainId }));
    const { pool } = await FakePool.start(responses, responses);
    expect(await findIn(pool, 1, 3)).toEqual(found);
  });

  const { s, yParity, ...rest } = authorization();
  const twin = {
    ...rest,
    s: toQuantity(CURVE_ORDER - BigInt(s as string)),
    yParity: yParity === '0x0' ? '0x1' : '0x0',
  };

  it.each<[string, unknown]>([
    ['by another key', authorization({ key: new SigningKey(`0x${'b2'.repeat(32)}`) })],
    ['for another chain', authorization({ chainId: 10n })],
    ['for another nonce', authorization({ nonce: 2n })],
    ['with another nonce', { ...authorization({ nonce: 2n }), nonce: '0x1' }],
    ['with the twin of a signature', twin],
    ['without a signature', { ...authorization(), r: null }],
    ['as no object', null],
  ])('but not if it was signed %s', async (_what, one) => {
    const { pool } = await FakePool.start(sayingsOf(one), sayingsOf(one));
    expect(await findIn(pool, 1, 3)).toBeNull();
  });

  it('only from a node that knows all transactions of the block', async () => {
    const { eth_getTransactionByHash: lookUp, ...responses } = sayingsOf(authorization());
    const notIndexed = `0x${(3000).toString(16).padStart(64, 'b')}`;
    const { pool } = await FakePool.start({
      ...responses,
      eth_getTransactionByHash: (params) =>
        params[0] === notIndexed
          ? { result: null }
          : (lookUp as (params: readonly unknown[]) => JsonRpcResponse)(params),
    });
    expect(await findIn(pool, 1, 3)).toBeNull();
  });

  const signedSayings = sayingsOf(authorization());
  const nonces = (count: (block: number) => number): NodeResponses => ({
    ...signedSayings,
    eth_getTransactionCount: ([, tag]) => ({ result: toQuantity(count(Number(tag))) }),
  });

  it.each<[string, NodeResponses]>([
    ['has an own transaction with the nonce', chain.responses],
    ['has no authorization', sayingsOf()],
    ['says that the nonce was used before', nonces(() => 2)],
    ['says that the nonce is unused', nonces(() => 1)],
    [
      'has no state of the block',
      {
        ...signedSayings,
        eth_getTransactionCount: { error: { code: -32000, message: 'missing trie node' } },
      },
    ],
  ])('but not if another endpoint %s', async (_what, other) => {
    const { pool } = await FakePool.start(signedSayings, other);
    expect(await findIn(pool, 1, 3)).toBeNull();
  });
});
