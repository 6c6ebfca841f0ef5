import { FakeEndpoints, type Statement } from '../../../../test/support/fake-endpoints';
import type { FinalCandidate, Inclusion } from '../../transaction-chain';
import { isSameInclusion } from '../../same-inclusion';
import { agreedInclusions, inclusionsOfHalf } from './agreed-inclusions';

const ALICE = '0x00000000000000000000000000000000000000A1';
const [HASH, OTHER_HASH] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`];
const [BLOCK, OTHER_BLOCK] = [`0x${'01'.repeat(32)}`, `0x${'02'.repeat(32)}`];
const NONCE = 3;
const FINALITY = { depth: 12, stalledAfterMs: 60_000 };
const CANDIDATE: FinalCandidate = {
  nonce: NONCE,
  since: new Date(),
  isRead: true,
  hashes: [HASH, OTHER_HASH],
  inclusion: {
    ...{ hash: HASH, block_number: 5, block_hash: BLOCK, succeeded: true },
    ...{ gas_used: '1', fee: null },
  },
  attempt: {
    ...{ hash: HASH, kind: 'request', to: null, value: '0', gas_limit: '30000', gas_price: null },
    ...{ max_fee_per_gas: '10', max_priority_fee_per_gas: '1', signature: { r: '', s: '', v: 27 } },
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

/** The inclusion on which endpoints agree; undefined if it is not final. */
async function agreed(
  nodes: readonly (Node | 'silent')[],
  candidate = CANDIDATE,
): Promise<Inclusion | undefined> {
  const statements = nodes.map((node): Statement => (node === 'silent' ? node : statementOf(node)));
  const { pool } = new FakeEndpoints(statements);
  return (await agreedInclusions(pool, ALICE, [candidate], FINALITY)).get(HASH);
}

/** Whether what the candidate says is final. */
async function isFinal(nodes: readonly (Node | 'silent')[], candidate = CANDIDATE): Promise<boolean> {
  const inclusion = await agreed(nodes, candidate);
  return inclusion !== undefined && isSameInclusion(candidate.inclusion, inclusion);
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
  'old block': { ageMs: 3_600_000 },
  silent: 'silent',
} as const;

describe('agreedInclusions', () => {
  it.each<[boolean, (keyof typeof NODES)[]]>([
    [true, ['failed']],
    [true, ['honest', 'honest']],
    [false, ['honest', 'not indexed']],
    [false, ['failed', 'not indexed']],
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
    [false, ['honest', 'silent', 'silent']],
    [true, ['honest', 'honest', 'silent', 'silent']],
    [false, ['honest', 'honest', 'silent', 'silent', 'silent']],
    [false, ['not indexed', 'not indexed']],
    [true, ['honest', 'honest', 'failed']],
    [true, ['honest', 'honest', 'unused']],
    [true, ['honest', 'honest', 'not indexed']],
    [false, ['honest', 'stalled', 'not indexed', 'silent']],
    [false, ['honest', 'not indexed', 'not indexed']],
    [false, ['honest', 'unused', 'not indexed']],
    [false, ['honest', 'shallow', 'shallow']],
    [false, ['honest', 'failed', 'failed']],
    [false, ['honest', 'other attempt', 'other attempt']],
  ])('reports the transaction as final: %j, for the endpoints %j', async (expected, names) => {
    expect(await isFinal(names.map((name) => NODES[name]))).toBe(expected);
  });

  it.each<[(keyof typeof NODES)[], object | undefined]>([
    [['failed', 'honest', 'honest'], { hash: HASH, succeeded: true }],
    [['not indexed', 'honest', 'honest'], { hash: HASH, succeeded: true }],
    [['failed', 'other attempt', 'other attempt'], { hash: OTHER_HASH, succeeded: true }],
    [['failed', 'honest'], undefined],
    [['failed', 'honest', 'elsewhere'], undefined],
    [['failed'], undefined],
  ])(
    'is what most of the endpoints %j report, whatever the first one has reported',
    async (names, wanted) => {
      const inclusion = { ...CANDIDATE.inclusion, succeeded: false };
      const agreedOn = await agreed(
        names.map((name) => NODES[name]),
        { ...CANDIDATE, inclusion, isRead: false },
      );
      if (wanted) expect(agreedOn).toMatchObject(wanted);
      else expect(agreedOn).toBeUndefined();
    },
  );

  it.each<[boolean, (keyof typeof NODES)[]]>([
    [false, ['honest']],
    [true, ['not indexed', 'honest']],
    [true, ['not indexed', 'honest', 'honest']],
    [false, ['not indexed', 'not indexed', 'honest']],
    [false, ['not indexed', 'failed']],
    [true, ['stalled', 'honest']],
    // A chain without blocks for a while.
    [true, ['stalled', 'old block']],
    [false, ['silent', 'silent']],
  ])('is still in its block: %j, for the endpoints %j', async (expected, names) => {
    const nodes: (Node | 'silent')[] = names.map((name) => NODES[name]);
    const statements = nodes.map((node): Statement => (node === 'silent' ? node : statementOf(node)));
    const { pool } = new FakeEndpoints(statements);
    const inclusions = await inclusionsOfHalf(pool, [HASH], FINALITY);
    expect(inclusions.some((one) => isSameInclusion(one, CANDIDATE.inclusion))).toBe(expected);
  });

  it('may have different receipts on two endpoints', async () => {
    const { pool } = new FakeEndpoints([NODES.honest, NODES.failed].map((node) => statementOf(node)));
    const inclusions = await inclusionsOfHalf(pool, [HASH], FINALITY);
    expect(inclusions.map(({ succeeded }) => succeeded)).toEqual([true, false]);
  });

  it('is final because of a single receipt once the others are not expected to get it any more', async () => {
    const nodes = [NODES.honest, NODES['not indexed']];
    const minedFor = (seconds: number) => ({ ...CANDIDATE, since: new Date(Date.now() - seconds * 1000) });
    expect(await isFinal(nodes, minedFor(590))).toBe(false);
    expect(await isFinal(nodes, minedFor(610))).toBe(true);
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
      ...{ nonce: NONCE - i, hashes: [hash], attempt: null, since: new Date(), isRead: true },
      inclusion: { ...CANDIDATE.inclusion, hash },
    }));
    const receipts = { [HASH]: RECEIPT, [OTHER_HASH]: RECEIPT };
    const nodes = [{ receipts }, { receipts }, NODES['not indexed']].map(statementOf);
    const endpoints = new FakeEndpoints(nodes);
    const final = await agreedInclusions(endpoints.pool, ALICE, candidates, FINALITY);
    expect([...final.keys()]).toEqual(hashes);
    expect(endpoints.count('eth_getTransactionCount')).toBe(1);
    expect(endpoints.count('eth_getBlockByNumber')).toBe(3);
  });

  describe('the fee', () => {
    const MOST = 2n ** 127n;
    /** An endpoint whose receipt has this gas price, gas and fee for data; none of those that are null. */
    const paying = (price: bigint | null, gas = 21_000n, l1Fee: bigint | null = null): Node => ({
      receipts: {
        [HASH]: {
          ...{ ...RECEIPT, gasUsed: hexOf(gas) },
          ...(price !== null && { effectiveGasPrice: hexOf(price) }),
          ...(l1Fee !== null && { l1Fee: hexOf(l1Fee) }),
        },
      },
    });
    const hexOf = (amount: bigint): string => `0x${amount.toString(16)}`;
    const withOperator: Node = {
      receipts: { [HASH]: { ...paying(8n).receipts?.[HASH], operatorFeeConstant: '0x5' } },
    };
    const [honest, free, expensive, unpriced] = [paying(8n), paying(0n), paying(MOST), paying(null)];
    const PAID = '168000';

    it.each<[string, (Node | 'silent')[], string | null]>([
      ['agreed by both', [honest, honest], PAID],
      ['without a price', [free, honest, honest], PAID],
      ['with a price that is too high', [expensive, honest, honest], PAID],
      ['with too little gas', [paying(8n, 1n), honest, honest], PAID],
      ['with an invented fee for data', [paying(8n, 21_000n, MOST), honest, honest], PAID],
      ['of data, agreed by two', [paying(8n, 21_000n, 5n), honest, paying(8n, 21_000n, 5n)], '168005'],
      ['not agreed by two: no price', [free, honest], null],
      ['not agreed by two: too high', [expensive, honest], null],
      ['reported by one of two', [honest, unpriced], PAID],
      ['reported by one of three', [unpriced, honest, unpriced], PAID],
      ['reported by none', [unpriced, unpriced], null],
      ['not all that an OP stack chain charges', [withOperator, withOperator], null],
      ['reported by the only one that responds', ['silent', honest], PAID],
      ['impossible for the attempt, by the only one that responds', ['silent', expensive], null],
      [
        'at the limit of the attempt, by the only one that responds',
        ['silent', paying(10n, 30_000n)],
        '300000',
      ],
      ['above the limit of the attempt', ['silent', paying(10n, 30_001n)], null],
    ])('is as endpoints agree: %s', async (_what, nodes, fee) => {
      const inclusion = { ...CANDIDATE.inclusion, fee: '0' };
      expect(await agreed(nodes, { ...CANDIDATE, inclusion })).toMatchObject({ hash: HASH, fee });
    });

    it('is as a single endpoint reports it', async () => {
      const inclusion = { ...CANDIDATE.inclusion, fee: MOST.toString() };
      expect(await agreed([expensive], { ...CANDIDATE, inclusion })).toEqual(inclusion);
    });
  });
});
