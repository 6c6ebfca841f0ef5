import { FakeEndpoints, type Statement } from '../../../../test/support/fake-endpoints';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import { NodeRefusedError } from '../node-read';
import {
  isKnownToAny,
  isUsedByOthers,
  readAgreedHead,
  readAgreedNonce,
  readCurrentNonce,
  readHighestNonce,
  readSpendableBalance,
} from './agreement';

const ALICE = '0x00000000000000000000000000000000000000A1';
const HASH = `0x${'ab'.repeat(32)}`;
const LIE = 2 ** 48;
const hex = (number: number): string => `0x${number.toString(16)}`;

type Node = number | 'silent' | 'refuses' | 'malformed';

function responseOf(node: Exclude<Node, 'silent'>, method: string) {
  if (node === 'refuses')
    return { error: { code: -32601, message: 'the method does not exist/is not available' } };
  if (node === 'malformed') return { result: 'x' };
  if (method !== 'eth_getBlockByNumber') return { result: hex(node) };
  const block = { number: hex(node), hash: HASH, parentHash: HASH, timestamp: '0x1', gasLimit: '0x1' };
  return { result: block };
}

/** A pool whose endpoints report these numbers, both as blocks and as nonces. */
function poolOf(stated: readonly Node[]): RpcPool {
  const statements = stated.map((node): Statement =>
    node === 'silent' ? node : (method) => responseOf(node, method),
  );
  return new FakeEndpoints(statements).pool;
}

describe.each([
  ['nonce', (pool: RpcPool) => readAgreedNonce(pool, ALICE), 7, 7],
  ['head', async (pool: RpcPool) => (await readAgreedHead(pool)).number, 9, LIE],
])('The %s on which endpoints agree', (_what, read, ofTwo, withLie) => {
  it.each<[Node[], number]>([
    [[7], 7],
    [[7, 7], 7],
    [[7, 9], ofTwo],
    [[9, 7], ofTwo],
    [[7, LIE], withLie],
    [[7, LIE, 7], 7],
    [[0, 7, 7], 7],
    [[7, 8, LIE], 8],
    [['silent', 7, 9], ofTwo],
    [['silent', 7, 'refuses', 9], ofTwo],
    [[9, 'silent'], 9],
  ])('for the responses %j is %d', async (stated, agreed) => {
    expect(await read(poolOf(stated))).toBe(agreed);
  });

  it.each<[Node[]]>([
    [['silent', 'malformed']],
    [[LIE, 'silent', 'silent']],
    [['malformed', 'silent', LIE]],
    [[LIE, LIE, 'silent', 'silent', 'silent']],
  ])('is unavailable if fewer than half return a usable response: %j', async (stated) => {
    await expect(read(poolOf(stated))).rejects.toThrow(RpcUnavailableError);
  });

  it.each<[Node[]]>([[['refuses', 'refuses', LIE]], [['silent', 'refuses', LIE]]])(
    'is refused if so many refuse the call that too few report it: %j',
    async (stated) => {
      await expect(read(poolOf(stated))).rejects.toThrow(NodeRefusedError);
    },
  );
});

const [NOW, OLD] = [0, 61_000];

/** An endpoint that reports a number as nonce and balance, with a newest block of this age. */
const withAge =
  ([number, ageMs]: readonly [number, number]): Statement =>
  (method) => {
    if (method === 'eth_getBalance') return { result: hex(number) };
    const timestamp = hex(Math.floor((Date.now() - ageMs) / 1000));
    const { result } = responseOf(number, method);
    return { result: typeof result === 'object' ? { ...result, timestamp } : result };
  };

type Aged = 'silent' | readonly [number, number];

const agedPool = (nodes: readonly Aged[]) =>
  new FakeEndpoints(nodes.map((node) => (node === 'silent' ? node : withAge(node)))).pool;

describe('readHighestNonce', () => {
  it.each<[Aged[], number | undefined]>([
    [[[7, NOW]], 7],
    [[[7, OLD]], 7],
    [
      [
        [7, NOW],
        [9, NOW],
      ],
      9,
    ],
    [
      [
        [7, NOW],
        [9, OLD],
      ],
      7,
    ],
    [
      [
        [7, OLD],
        [9, OLD],
      ],
      9,
    ],
    [[[7, NOW], 'silent'], 7],
    [[[7, NOW], [8, NOW], 'silent'], 8],
    [[[7, NOW], 'silent', 'silent'], undefined],
    [
      [
        [7, NOW],
        [9, OLD],
        [9, OLD],
      ],
      undefined,
    ],
    [['silent'], undefined],
  ])('for %j is %j', async (nodes, highest) => {
    expect(await readHighestNonce(agedPool(nodes), ALICE, 60_000)).toBe(highest);
  });
});

describe('readSpendableBalance', () => {
  it.each<[Aged[], bigint]>([
    [
      [
        [7, NOW],
        [9, NOW],
      ],
      7n,
    ],
    [
      [
        [7, OLD],
        [9, NOW],
      ],
      9n,
    ],
    [
      [
        [7, OLD],
        [9, OLD],
      ],
      7n,
    ],
    [
      [
        [7, NOW],
        [9, NOW],
        [9, NOW],
      ],
      9n,
    ],
  ])('for %j is %j', async (nodes, balance) => {
    expect(await readSpendableBalance(agedPool(nodes), ALICE, 60_000)).toBe(balance);
  });
});

describe('readCurrentNonce', () => {
  it.each<[[nonce: number, ageMs: number][], number]>([
    [[[7, OLD]], 7],
    [
      [
        [7, NOW],
        [9, NOW],
      ],
      7,
    ],
    [
      [
        [7, OLD],
        [9, NOW],
      ],
      9,
    ],
    [
      [
        [7, OLD],
        [9, OLD],
      ],
      7,
    ],
    [
      [
        [7, NOW],
        [9, NOW],
        [3, OLD],
      ],
      7,
    ],
  ])('for the nonces and ages of blocks %j is %d', async (nodes, agreed) => {
    expect(await readCurrentNonce(agedPool(nodes), ALICE, 60_000)).toBe(agreed);
  });
});

describe('isKnownToAny', () => {
  const nodes: Record<string, Statement> = {
    has: () => ({ result: { hash: HASH } }),
    lacks: () => ({ result: null }),
  };

  it.each([
    [true, ['has'], 1],
    [false, ['lacks'], 1],
    [true, ['has', 'lacks'], 1],
    [true, ['lacks', 'has'], 3],
    [false, ['lacks', 'lacks'], 3],
    [false, ['lacks', 'silent'], 2],
  ])('is %s for the endpoints %j, after %d calls', async (isKnown, names, calls) => {
    const endpoints = new FakeEndpoints(names.map((name) => nodes[name] ?? 'silent'));
    expect(await isKnownToAny(endpoints.pool, HASH)).toBe(isKnown);
    expect(endpoints.count('eth_getTransactionByHash')).toBe(calls);
  });

  it('is not known if the one of three that responds lacks it', async () => {
    const { pool } = new FakeEndpoints([nodes.lacks!, 'silent', 'silent']);
    await expect(isKnownToAny(pool, HASH)).rejects.toThrow(RpcUnavailableError);
  });
});

describe('isUsedByOthers', () => {
  const receipt = {
    ...{ transactionHash: HASH, blockNumber: '0x5', blockHash: HASH, status: '0x1' },
    ...{ gasUsed: '0x1', from: ALICE, to: ALICE },
  };
  const poolWith = (stated: readonly [next: Node, hasReceipt: boolean][]): RpcPool => {
    const statements = stated.map(([next, hasReceipt]): Statement => {
      if (next === 'silent') return next;
      return (method) =>
        method === 'eth_getTransactionReceipt'
          ? { result: hasReceipt ? receipt : null }
          : responseOf(next, method);
    });
    return new FakeEndpoints(statements).pool;
  };

  it.each<[[Node, boolean][], boolean]>([
    [[[5, false]], true],
    [[[4, false]], false],
    [[[5, true]], false],
    [
      [
        [5, false],
        [4, false],
      ],
      false,
    ],
    [
      [
        [5, false],
        [LIE, false],
        [4, false],
      ],
      true,
    ],
    [
      [
        [5, false],
        [5, false],
        [5, true],
      ],
      false,
    ],
    // It does not have that block yet, or no longer its state.
    [
      [
        [5, false],
        ['refuses', false],
      ],
      false,
    ],
    [
      [
        [5, false],
        [5, false],
        ['refuses', false],
      ],
      true,
    ],
    [
      [
        [5, false],
        [5, false],
        ['refuses', true],
      ],
      false,
    ],
    [
      [
        [5, false],
        ['silent', false],
      ],
      true,
    ],
  ])('for endpoints with these nonces, with a receipt or not, %j returns %j', async (stated, isKnown) => {
    const used = { address: ALICE, nonce: 4, hashes: [HASH] };
    expect(await isUsedByOthers(poolWith(stated), used, 3)).toBe(isKnown);
  });

  it('is not known while fewer than half of the endpoints respond', async () => {
    const used = { address: ALICE, nonce: 4, hashes: [HASH] };
    const pool = poolWith([
      [5, false],
      ['silent', false],
      ['silent', false],
    ]);
    await expect(isUsedByOthers(pool, used, 3)).rejects.toThrow(RpcUnavailableError);
  });

  it('is not known of an endpoint that cannot look up receipts yet', async () => {
    const indexing = { error: { code: -32000, message: 'transaction indexing is in progress' } };
    const { pool } = new FakeEndpoints([
      (method) => (method === 'eth_getTransactionReceipt' ? indexing : responseOf(5, method)),
    ]);
    const used = isUsedByOthers(pool, { address: ALICE, nonce: 4, hashes: [HASH] }, 3);
    await expect(used).rejects.toBeInstanceOf(NodeRefusedError);
  });
});
