import { FakeEndpoints, type Statement } from '../../../../test/support/fake-endpoints';
import type { FinalCandidate } from '../../transaction-chain';
import { agreedInclusions } from './agreed-inclusions';

const ALICE = '0x00000000000000000000000000000000000000A1';
const [HASH, OTHER_HASH] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`];
const [BLOCK, OTHER_BLOCK] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
const NONCE = 3;
const FINALITY = { depth: 12, stalledAfterMs: 60_000 };
const CANDIDATE: FinalCandidate = {
  nonce: NONCE,
  hashes: [HASH, OTHER_HASH],
  inclusion: {
    ...{ hash: HASH, block_number: 5, block_hash: BLOCK, succeeded: true },
    ...{ gas_used: '1', fee: null },
  },
};
const RECEIPT = { blockNumber: '0x5', blockHash: BLOCK, status: '0x1', gasUsed: '0x1' };
const hex = (number: number): string => `0x${number.toString(16)}`;

/** What an endpoint reports: by default, that the transaction is deep enough. */
interface Node {
  head?: number;
  /** How old its newest block is. */
  ageMs?: number;
  next?: number;
  receipts?: Readonly<Record<string, object>>;
}

function statementOf({ head = 17, ageMs = 0, next = NONCE + 1, receipts = { [HASH]: RECEIPT } }: Node) {
  return (method: string, [asked]: readonly unknown[]) => {
    if (method === 'eth_getTransactionCount') return { result: hex(next) };
    if (method === 'eth_getTransactionReceipt') {
      const receipt = receipts[asked as string];
      return { result: receipt ? { transactionHash: asked, ...receipt } : null };
    }
    const timestamp = hex(Math.floor((Date.now() - ageMs) / 1000));
    return {
      result: { number: hex(head), hash: BLOCK, parentHash: BLOCK, timestamp, gasLimit: '0x1' },
    };
  };
}

async function isFinal(nodes: readonly (Node | 'silent')[], candidate = CANDIDATE): Promise<boolean> {
  const statements = nodes.map((node): Statement => (node === 'silent' ? node : statementOf(node)));
  const { pool } = new FakeEndpoints(statements);
  return (await agreedInclusions(pool, ALICE, [candidate], FINALITY)).has(HASH);
}

const NODES = {
  honest: {},
  failed: { receipts: { [HASH]: { ...RECEIPT, status: '0x0' } } },
  elsewhere: { receipts: { [HASH]: { ...RECEIPT, blockHash: OTHER_BLOCK } } },
  lower: { receipts: { [HASH]: { ...RECEIPT, blockNumber: '0x0' } } },
  'other attempt': { receipts: { [OTHER_HASH]: RECEIPT } },
  'both attempts': { receipts: { [HASH]: RECEIPT, [OTHER_HASH]: RECEIPT } },
  shallow: { head: 16 },
  'not indexed': { receipts: {} },
  unused: { receipts: {}, next: NONCE },
  'unused, old block': { receipts: {}, next: NONCE, ageMs: 3_600_000 },
  'without the block': { receipts: {}, next: NONCE, head: 4 },
  stalled: { receipts: {}, next: NONCE, head: 4, ageMs: 3_600_000 },
  silent: 'silent',
} as const;

describe('agreedInclusions', () => {
  it.each<[boolean, (keyof typeof NODES)[]]>([
    [true, ['failed']],
    [true, ['honest', 'honest']],
    [true, ['honest', 'not indexed']],
    [true, ['honest', 'shallow']],
    [true, ['honest', 'stalled']],
    [true, ['honest', 'silent']],
    [false, ['honest', 'failed']],
    [false, ['honest', 'elsewhere']],
    [false, ['honest', 'lower']],
    [false, ['honest', 'other attempt']],
    [false, ['honest', 'both attempts']],
    [false, ['honest', 'unused']],
    [false, ['honest', 'unused, old block']],
    [false, ['honest', 'without the block']],
    [false, ['honest', 'unused', 'silent']],
    [false, ['not indexed', 'not indexed']],
    [true, ['honest', 'honest', 'failed']],
    [true, ['honest', 'honest', 'unused']],
    [true, ['honest', 'honest', 'not indexed']],
    [false, ['honest', 'not indexed', 'not indexed']],
    [false, ['honest', 'unused', 'not indexed']],
    [false, ['honest', 'shallow', 'shallow']],
    [false, ['honest', 'failed', 'failed']],
    [false, ['honest', 'other attempt', 'other attempt']],
  ])('reports the transaction as final: %j, for the endpoints %j', async (expected, names) => {
    expect(await isFinal(names.map((name) => NODES[name]))).toBe(expected);
  });

  it.each<[(keyof typeof NODES)[]]>([[['lower', 'honest']], [['lower', 'honest', 'honest']]])(
    'is not final because the first of %j reports a lower block',
    async (names) => {
      const inclusion = { ...CANDIDATE.inclusion, block_number: 0 };
      const nodes = names.map((name) => ({ head: 12, ...(NODES[name] as Node) }));
      expect(await isFinal(nodes, { ...CANDIDATE, inclusion })).toBe(false);
      expect(await isFinal(nodes)).toBe(false);
    },
  );

  it('reads nonces only from endpoints that have no receipt, once for all transactions', async () => {
    const hashes = [HASH, OTHER_HASH];
    const candidates = hashes.map((hash, i) => ({
      nonce: NONCE - i,
      hashes: [hash],
      inclusion: { ...CANDIDATE.inclusion, hash },
    }));
    const receipts = { [HASH]: RECEIPT, [OTHER_HASH]: RECEIPT };
    const nodes = [{ receipts }, { receipts }, NODES['not indexed']].map(statementOf);
    const endpoints = new FakeEndpoints(nodes);
    expect(await agreedInclusions(endpoints.pool, ALICE, candidates, FINALITY)).toEqual(new Set(hashes));
    expect(endpoints.count('eth_getTransactionCount')).toBe(1);
    expect(endpoints.count('eth_getBlockByNumber')).toBe(3);
  });
});
