import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import { EvmTransactionChain } from './evm-transaction-chain';
import { gasLimitOf, withMargin } from './gas-limits';

const SENDER = `0x${'a1'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const REQUEST = {
  ...{ to: SENDER, value: '0', data: '0x12', gas_limit: null, type: null, speed: 'fast', simulate: null },
  ...{ access_list: null, authorization_list: null },
};

describe('Gas limits', () => {
  it.each<[string, bigint | undefined, bigint]>([
    ['1', 60_000_000n, 16_777_216n],
    ['1', 10_000_000n, 10_000_000n],
    ['137', 60_000_000n, 32_000_000n],
    ['10', 60_000_000n, 60_000_000n],
    ['10', undefined, 2n ** 64n - 1n],
  ])('of chain %s with blocks of %s are %s', (chainId, block, limit) => {
    expect(gasLimitOf(chainId, block)).toBe(limit);
  });

  it.each<[bigint, bigint | undefined]>([
    [21_000n, 21_000n],
    [21_001n, 25_202n],
    [100_000n, 120_000n],
    [999_999n, 1_000_000n],
    [1_000_000n, 1_000_000n],
    [1_000_001n, undefined],
  ])('are a fifth above the gas that a simulation used: %s → %s', (gas, limit) => {
    expect(withMargin(gas, 1_000_000n)).toBe(limit);
  });

  it.each([
    [16_000_000, { gas_limit: '16777216' }],
    [20_000_000, 'Transaction would revert: it uses more gas than a transaction may have'],
  ])('of a request whose simulation used %d are at most those of the chain', async (gas, expected) => {
    const block = { number: '0x1', hash: HASH, parentHash: HASH, timestamp: '0x1', gasLimit: '0x3938700' };
    const responses: NodeResponses = {
      eth_getBlockByNumber: { result: block },
      eth_getTransactionCount: { result: '0x0' },
      eth_estimateGas: { result: `0x${gas.toString(16)}` },
    };
    const { pool } = await FakePool.start(responses, responses);
    const chain = new EvmTransactionChain(
      { public: pool, private: undefined },
      {
        ...{ chainId: '1', requiredConfirmations: 1, averageBlocktimeMs: null, fees: null },
        ...{ features: [], tags: [], privateFallbackBlocks: null },
      },
    );
    const completed = chain.complete(SENDER, REQUEST);
    if (typeof expected === 'string') await expect(completed).rejects.toMatchObject({ detail: expected });
    else expect(await completed).toMatchObject(expected);
  });
});
