import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import type { JsonRpcResponse } from '../../rpc/json-rpc';
import { NodeRefusedError } from '../node-read';
import { hasCode, isKnown, readTimestamp, readHead, readNonces, readReceipts } from './chain-reads';
import type { Receipt } from './receipt';

const A = `0x${'aA'.repeat(32)}`;
const B = `0x${'bb'.repeat(32)}`;
const C = `0x${'cc'.repeat(32)}`;
const ALICE = '0x0000000000000000000000000000000000000001';
const BOB = '0x0000000000000000000000000000000000000002';
const HUGE = `0x${(10n ** 40n).toString(16)}`;

/** Values that no method returns. */
const NONSENSE: unknown[] = [
  true,
  1,
  -1,
  1.5,
  '',
  'abc',
  '-0x1',
  '0xzz',
  '0x1'.padEnd(300, '1'),
  [],
  [[]],
  {},
  [null],
];

const BLOCK = {
  number: '0x10',
  hash: A,
  parentHash: B,
  timestamp: '0x6900',
  baseFeePerGas: '0x7',
  gasLimit: '0x1c9c380',
};
const HEAD = {
  number: 16,
  hash: A.toLowerCase(),
  parentHash: B,
  timestamp: 26_880,
  baseFee: 7n,
  gasLimit: 30_000_000n,
};
const RECEIPT = {
  transactionHash: A,
  blockNumber: '0x10',
  blockHash: B,
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x8',
};
const READ: Receipt = {
  transactionHash: A.toLowerCase(),
  blockNumber: 16,
  blockHash: B,
  succeeded: true,
  gasUsed: 21_000n,
  effectiveGasPrice: 8n,
  l1Fee: null,
  hasOperatorFee: false,
};

const says = (result: unknown): JsonRpcResponse => ({ result });
const REFUSED: JsonRpcResponse = { error: { code: -32602, message: 'invalid argument 0' } };
const UNAWARE: JsonRpcResponse = { error: { code: -32000, message: 'header not found' } };

/** Both nodes respond in the same way. */
const both = (responses: NodeResponses): Promise<FakePool> => FakePool.start(responses, responses);

describe('readHead', () => {
  it('reads the newest block and ignores its other members', async () => {
    const transactions = Array.from({ length: 10_000 }, () => A);
    const { pool } = await both({ eth_getBlockByNumber: says({ ...BLOCK, transactions, size: '0x1' }) });
    expect(await readHead(pool)).toEqual(HEAD);
  });

  it.each([undefined, null])('returns no base fee if it is %s', async (baseFeePerGas) => {
    const { pool } = await both({ eth_getBlockByNumber: says({ ...BLOCK, baseFeePerGas }) });
    expect(await readHead(pool)).toEqual({ ...HEAD, baseFee: null });
  });

  it.each([
    ...NONSENSE,
    null,
    ...['number', 'hash', 'parentHash', 'timestamp', 'gasLimit'].flatMap((name) =>
      [undefined, null, HUGE, ...NONSENSE].map((value) => ({ ...BLOCK, [name]: value })),
    ),
    ...[HUGE, ...NONSENSE].map((value) => ({ ...BLOCK, baseFeePerGas: value })),
  ])('calls another node after %j', async (result) => {
    const fake = await FakePool.start(
      { eth_getBlockByNumber: says(result) },
      { eth_getBlockByNumber: says(BLOCK) },
    );
    expect(await readHead(fake.pool)).toEqual(HEAD);
    expect(fake.states).toEqual(['resting', 'ready']);
  });

  it('throws NodeRefusedError if the nodes refuse the call', async () => {
    const { pool } = await both({ eth_getBlockByNumber: REFUSED });
    await expect(readHead(pool)).rejects.toBeInstanceOf(NodeRefusedError);
  });
});

describe('readTimestamp', () => {
  it('reads the time of a block', async () => {
    let asked: readonly unknown[] = [];
    const { pool } = await both({ eth_getBlockByNumber: (params) => ((asked = params), says(BLOCK)) });
    expect(await readTimestamp(pool, 16)).toBe(HEAD.timestamp);
    expect(asked).toEqual(['0x10', false]);
  });

  it.each([says(null), UNAWARE])('returns null if no node has the block: %j', async (said) => {
    const fake = await both({ eth_getBlockByNumber: said });
    expect(await readTimestamp(fake.pool, 16)).toBeNull();
    expect(fake.states).toEqual(['ready', 'ready']);
  });

  it.each([...NONSENSE, { ...BLOCK, number: '0x11' }, { ...BLOCK, timestamp: null }])(
    'calls another node after %j',
    async (result) => {
      const fake = await FakePool.start(
        { eth_getBlockByNumber: says(result) },
        { eth_getBlockByNumber: says(BLOCK) },
      );
      expect(await readTimestamp(fake.pool, 16)).toBe(HEAD.timestamp);
      expect(fake.states).toEqual(['resting', 'ready']);
    },
  );
});

describe('readReceipts', () => {
  const receiptOf =
    (fields: object = {}) =>
    ([hash]: readonly unknown[]): JsonRpcResponse =>
      says(hash === C ? null : { ...RECEIPT, transactionHash: hash, ...fields });

  it('reads the receipts that exist, in one batch', async () => {
    const fake = await both({ eth_getTransactionReceipt: receiptOf() });
    expect(await readReceipts(fake.pool, [A, B, C, A])).toEqual(
      new Map([
        [A, READ],
        [B, { ...READ, transactionHash: B }],
      ]),
    );
    expect(fake.nodes.batches).toEqual([3]);
    expect(await readReceipts(fake.pool, [])).toEqual(new Map());
  });

  it('reads a receipt with thousands of log entries', async () => {
    const log = { address: ALICE, topics: [A, B, C], data: '0x', blockNumber: '0x10', removed: false };
    const { pool } = await both({ eth_getTransactionReceipt: receiptOf({ logs: Array(3000).fill(log) }) });
    expect(await readReceipts(pool, [A])).toEqual(new Map([[A, READ]]));
  });

  it.each([
    [{ status: '0x0' }, { succeeded: false }],
    [{ l1Fee: '0x64' }, { l1Fee: 100n }],
    [{ operatorFeeScalar: '0x0', operatorFeeConstant: '0x0' }, { hasOperatorFee: false }],
    [{ operatorFeeScalar: '0x1', operatorFeeConstant: '0x0' }, { hasOperatorFee: true }],
    [{ operatorFeeConstant: '0x1' }, { hasOperatorFee: true }],
    [{ effectiveGasPrice: undefined }, { effectiveGasPrice: null }],
    [{ effectiveGasPrice: null, l1Fee: null }, { effectiveGasPrice: null }],
  ])('reads %j', async (fields, read) => {
    const { pool } = await both({ eth_getTransactionReceipt: receiptOf(fields) });
    expect((await readReceipts(pool, [A])).get(A)).toEqual({ ...READ, ...read });
  });

  it.each([{ blockNumber: null }, { blockHash: null }])(
    'leaves out the receipt of a transaction that is not in a block: %j',
    async (fields) => {
      const { pool } = await both({ eth_getTransactionReceipt: receiptOf(fields) });
      expect(await readReceipts(pool, [A])).toEqual(new Map());
    },
  );

  it('requests receipts that one node does not know from another, and leaves out those that none knows', async () => {
    const unaware = ([hash]: readonly unknown[]): JsonRpcResponse =>
      hash === A
        ? receiptOf()([A])
        : { error: { code: -32000, message: 'transaction indexing is in progress' } };
    const fake = await FakePool.start(
      { eth_getTransactionReceipt: unaware },
      { eth_getTransactionReceipt: (params) => (params[0] === B ? receiptOf()(params) : unaware(params)) },
    );
    expect([...(await readReceipts(fake.pool, [A, B, C])).keys()]).toEqual([A, B]);
    expect(fake.states).toEqual(['ready', 'ready']);
  });

  it.each([
    ...NONSENSE,
    ...['blockNumber', 'blockHash', 'status', 'gasUsed'].flatMap((name) =>
      [undefined, HUGE, ...NONSENSE].map((value) => ({ ...RECEIPT, [name]: value })),
    ),
    ...['effectiveGasPrice', 'l1Fee', 'operatorFeeScalar', 'operatorFeeConstant'].flatMap((name) =>
      [HUGE, ...NONSENSE].map((value) => ({ ...RECEIPT, [name]: value })),
    ),
    { ...RECEIPT, transactionHash: B },
    { ...RECEIPT, transactionHash: null },
    { ...RECEIPT, status: undefined, root: C },
    { ...RECEIPT, status: '0x2' },
    { ...RECEIPT, gasUsed: null },
  ])('calls another node after %j', async (result) => {
    const fake = await FakePool.start(
      { eth_getTransactionReceipt: ([hash]) => (hash === A ? says(result) : receiptOf()([hash])) },
      { eth_getTransactionReceipt: receiptOf() },
    );
    expect((await readReceipts(fake.pool, [B, A])).get(A)).toEqual(READ);
    expect(fake.states).toEqual(['resting', 'ready']);
  });
});

describe('readNonces', () => {
  it('reads the next nonces at the newest block, or at a given one', async () => {
    const asked: unknown[] = [];
    const fake = await both({
      eth_getTransactionCount: ([address, tag]) => (
        asked.push(tag),
        says(address === ALICE ? '0x5' : '0x1000000000000')
      ),
    });
    expect(await readNonces(fake.pool, [ALICE, BOB, ALICE])).toEqual(
      new Map([
        [ALICE, 5],
        [BOB, 2 ** 48],
      ]),
    );
    expect(fake.nodes.batches).toEqual([2]);
    await readNonces(fake.pool, [ALICE], 255);
    expect(asked).toEqual(['latest', 'latest', '0xff']);
  });

  it.each([null, HUGE, '0x1000000000001', '0x20000000000000', ...NONSENSE])(
    'calls another node after %j',
    async (result) => {
      const fake = await FakePool.start(
        { eth_getTransactionCount: says(result) },
        { eth_getTransactionCount: says('0x5') },
      );
      expect(await readNonces(fake.pool, [ALICE, BOB])).toEqual(
        new Map([
          [ALICE, 5],
          [BOB, 5],
        ]),
      );
      expect(fake.states).toEqual(['resting', 'ready']);
    },
  );

  it('throws NodeRefusedError if no node has the state of the block', async () => {
    const { pool } = await both({ eth_getTransactionCount: UNAWARE });
    await expect(readNonces(pool, [ALICE], 1)).rejects.toBeInstanceOf(NodeRefusedError);
  });
});

describe('isKnown', () => {
  it.each([
    [{ hash: A, blockNumber: null }, true],
    [{ hash: A.toLowerCase(), blockNumber: '0x1', input: '0x' }, true],
    [null, false],
  ])('for %j returns %s', async (result, known) => {
    const { pool } = await both({ eth_getTransactionByHash: says(result) });
    expect(await isKnown(pool, A)).toBe(known);
  });

  it('returns false if no node finds the transaction', async () => {
    const { pool } = await both({
      eth_getTransactionByHash: { error: { code: -32000, message: 'transaction not found' } },
    });
    expect(await isKnown(pool, A)).toBe(false);
  });

  it.each([...NONSENSE, { hash: B }, { hash: null }])('calls another node after %j', async (result) => {
    const fake = await FakePool.start(
      { eth_getTransactionByHash: says(result) },
      { eth_getTransactionByHash: says({ hash: A }) },
    );
    expect(await isKnown(fake.pool, A)).toBe(true);
    expect(fake.states).toEqual(['resting', 'ready']);
  });
});

describe('hasCode', () => {
  it.each([
    ['0x', false],
    ['0xef0100', true],
    [`0x${'60'.repeat(24_576)}`, true],
  ])('for %.20s returns %s', async (result, has) => {
    const { pool } = await both({ eth_getCode: says(result) });
    expect(await hasCode(pool, ALICE)).toBe(has);
  });

  it.each([null, true, 1, '', 'abc', '0xa', '0xzz', [], {}])(
    'calls another node after %j',
    async (result) => {
      const fake = await FakePool.start({ eth_getCode: says(result) }, { eth_getCode: says('0x') });
      expect(await hasCode(fake.pool, ALICE)).toBe(false);
      expect(fake.states).toEqual(['resting', 'ready']);
    },
  );
});
