import { FakeEndpoints, type Statement } from '../../../../test/support/fake-endpoints';
import { RpcUnavailableError } from '../../rpc/endpoint-error';
import type { RpcPool } from '../../rpc/rpc-pool';
import { NodeRefusedError } from '../node-read';
import { agreedInclusions, isUsedByOthers, readAgreedHead, readAgreedNonce } from './agreement';

const ALICE = '0x00000000000000000000000000000000000000A1';
const HASH = `0x${'ab'.repeat(32)}`;
const LIE = Number.MAX_SAFE_INTEGER;
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
    [['silent', 'refuses', 9], 9],
    [['malformed', 'silent', 9], 9],
  ])('for the responses %j is %d', async (stated, agreed) => {
    expect(await read(poolOf(stated))).toBe(agreed);
  });

  it('is unavailable if no endpoint returns a usable response', async () => {
    await expect(read(poolOf(['silent', 'malformed']))).rejects.toThrow(RpcUnavailableError);
  });
});

describe('agreedInclusions', () => {
  const [ours, other] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
  const receipt = {
    transactionHash: HASH,
    blockNumber: '0x5',
    blockHash: ours,
    status: '0x1',
    gasUsed: '0x1',
  };
  const inclusion = { hash: HASH, block_number: 5, block_hash: ours, succeeded: true };
  const honest = [17, receipt];
  const failed = [17, { ...receipt, status: '0x0' }];
  const elsewhere = [17, { ...receipt, blockHash: other }];
  const shallow = [16, receipt];
  const without = [17, null];

  it.each<[boolean, unknown[][]]>([
    [true, [failed]],
    [true, [honest, honest]],
    [true, [honest, without]],
    [true, [honest, shallow]],
    [false, [honest, failed]],
    [false, [honest, elsewhere]],
    [false, [without, without]],
    [true, [honest, honest, failed]],
    [true, [honest, honest, without]],
    [false, [honest, without, without]],
    [false, [honest, shallow, shallow]],
    [false, [honest, failed, failed]],
  ])('reports the inclusion as final: %j, for the heads and receipts %j', async (isFinal, stated) => {
    const statements = stated.map(
      ([head, found]): Statement =>
        (method) =>
          method === 'eth_getTransactionReceipt' ? { result: found } : responseOf(head as number, method),
    );
    const final = await agreedInclusions(new FakeEndpoints(statements).pool, [inclusion], 12);
    expect([...final]).toEqual(isFinal ? [HASH] : []);
  });

  it.each([3, 2])('is not final because one of %d endpoints reports a lower block', async (endpoints) => {
    const statements = Array.from({ length: endpoints }, (_, i): Statement => (method) => {
      const found = i === 0 ? { ...receipt, blockNumber: '0x0' } : receipt;
      return method === 'eth_getTransactionReceipt' ? { result: found } : responseOf(12, method);
    });
    const { pool } = new FakeEndpoints(statements);
    expect(await agreedInclusions(pool, [{ ...inclusion, block_number: 0 }], 12)).toEqual(new Set());
    expect(await agreedInclusions(pool, [inclusion], 12)).toEqual(new Set());
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

  it('is not known of an endpoint that cannot look up receipts yet', async () => {
    const indexing = { error: { code: -32000, message: 'transaction indexing is in progress' } };
    const { pool } = new FakeEndpoints([
      (method) => (method === 'eth_getTransactionReceipt' ? indexing : responseOf(5, method)),
    ]);
    const used = isUsedByOthers(pool, { address: ALICE, nonce: 4, hashes: [HASH] }, 3);
    await expect(used).rejects.toBeInstanceOf(NodeRefusedError);
  });
});
