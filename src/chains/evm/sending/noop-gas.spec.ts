import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import type { AttemptContent, ReplacedAttempt } from '../../transaction-chain';
import { EvmTransactionChain } from './evm-transaction-chain';

const SENDER = `0x${'a1'.repeat(20)}`;
const REFUSED = { error: { code: -32601, message: 'the method does not exist' } };
const estimate = (gas: number): NodeResponses => ({ eth_estimateGas: { result: `0x${gas.toString(16)}` } });

/** A chain without a base fee, whose nodes have these responses. */
async function start(responses: NodeResponses, tags: string[] = [], ofSecond = responses) {
  const all: NodeResponses = {
    eth_gasPrice: { result: '0x64' },
    eth_getCode: { result: '0x' },
    ...responses,
  };
  const fake = await FakePool.start(all, { ...all, ...ofSecond });
  const chain = new EvmTransactionChain(
    { public: fake.pool, private: undefined },
    {
      ...{ chainId: '5000', requiredConfirmations: 1, averageBlocktimeMs: 1000, fees: null },
      ...{ features: [], tags, privateFallbackBlocks: null },
    },
  );
  return { fake, chain };
}

async function gasOfNoop(
  responses: NodeResponses,
  tags?: string[],
  ofSecond?: NodeResponses,
): Promise<bigint> {
  const { chain } = await start(responses, tags, ofSecond);
  const drafted = await chain.draft({
    ...{ kind: 'noop', sender: SENDER, nonce: 0, wasSigned: false, request: {}, replaces: [] },
    limits: { cap: undefined, maxFee: undefined, legacy: false },
  });
  if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
  return drafted.draft.subject.members.gas_limit;
}

describe('The gas of a no-op', () => {
  it.each<[string, NodeResponses, string[], bigint]>([
    ['is that of a transfer where nodes say so', estimate(21_000), [], 21_000n],
    ['is what nodes say, with a margin', estimate(400_000), ['optimism-based'], 480_000n],
    ['is never below that of a transfer', estimate(1000), [], 21_000n],
    ['is that of a transfer where nodes cannot tell', { eth_estimateGas: REFUSED }, [], 21_000n],
    [
      'is twice as much where nodes cannot tell and the account has code',
      { eth_estimateGas: REFUSED, eth_getCode: { result: '0xef0100' } },
      [],
      42_000n,
    ],
    [
      'is twice as much where nodes cannot tell and gas pays for data',
      { eth_estimateGas: REFUSED },
      ['arbitrum-based'],
      42_000n,
    ],
  ])('%s', async (_what, responses, tags, expected) => {
    expect(await gasOfNoop(responses, tags)).toBe(expected);
  });

  it('is not decided by a single endpoint', async () => {
    expect(await gasOfNoop(estimate(29_000_000), [], estimate(21_000))).toBe(21_000n);
  });

  it('is the higher of two estimates if it replaces a no-op that may have had too little', async () => {
    const { chain } = await start(estimate(400_000), [], estimate(21_000));
    const refused = {
      kind: 'noop',
      gas_limit: '21000',
      max_fee_per_gas: null,
      gas_price: '1',
    } as ReplacedAttempt;
    expect(await chain.isShortOfGas(SENDER, refused)).toBe(true);
    const drafted = await chain.draft({
      ...{ kind: 'noop', sender: SENDER, nonce: 0, wasSigned: false, request: {}, replaces: [refused] },
      limits: { cap: undefined, maxFee: undefined, legacy: true },
    });
    if (!('draft' in drafted)) throw new Error(JSON.stringify(drafted));
    expect(drafted.draft.subject.members.gas_limit).toBe(480_000n);
  });

  it('is checked with one call to each endpoint', async () => {
    const { fake, chain } = await start(estimate(21_000));
    const noop = { gas_limit: '21000' } as AttemptContent;
    expect(await chain.isShortOfGas(SENDER, noop)).toBe(false);
    expect(fake.received).toEqual([
      ['first', 'eth_estimateGas'],
      ['second', 'eth_estimateGas'],
    ]);
  });

  it('is estimated once for all no-ops of an account within a few seconds', async () => {
    const { fake, chain } = await start(estimate(400_000));
    for (let nonce = 0; nonce < 16; nonce += 1)
      await chain.draft({
        ...{ kind: 'noop', sender: SENDER, nonce, wasSigned: false, request: {}, replaces: [] },
        limits: { cap: undefined, maxFee: undefined, legacy: true },
      });
    const estimates = fake.received.filter(([, method]) => method === 'eth_estimateGas');
    expect(estimates).toEqual([
      ['first', 'eth_estimateGas'],
      ['second', 'eth_estimateGas'],
    ]);
  });

  it.each([
    [estimate(400_000), true],
    [{ eth_estimateGas: REFUSED }, false],
  ])('is too little later on, given %j: %s', async (responses, expected) => {
    const { chain } = await start(responses);
    expect(await chain.isShortOfGas(SENDER, { gas_limit: '21000' } as AttemptContent)).toBe(expected);
  });
});

describe('The gas of a request', () => {
  const request = {
    ...{ to: SENDER, value: '0', data: '0x', access_list: null, authorization_list: null },
    gas_limit: '21000',
  };
  const attempt = { gas_limit: '21000' } as AttemptContent;

  it.each<[string, NodeResponses, NodeResponses, boolean]>([
    ['most endpoints estimate more', estimate(21_001), estimate(30_000), true],
    ['the only one that can tell estimates more', estimate(21_001), { eth_estimateGas: REFUSED }, true],
    ['they estimate exactly that', estimate(21_000), estimate(21_000), false],
    ['only half of them estimate more', estimate(30_000), estimate(21_000), false],
    ['none can tell', { eth_estimateGas: REFUSED }, { eth_estimateGas: REFUSED }, false],
  ])('is too little if %s: %#', async (_what, ofFirst, ofSecond, expected) => {
    const { chain } = await start(ofFirst, [], ofSecond);
    expect(await chain.isShortOfGas(SENDER, attempt, request)).toBe(expected);
  });
});
