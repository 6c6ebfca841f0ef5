import { FakePool } from '../../../../test/support/fake-pool';
import { EvmTransactionChain } from './evm-transaction-chain';

const ALICE = '0x00000000000000000000000000000000000000A1';
const HASH = `0x${'ab'.repeat(32)}`;
const HEAD = 1_000_000;
const MINED_IN = 7;
const NETWORK = {
  ...{ chainId: '1', requiredConfirmations: 1, averageBlocktimeMs: null },
  ...{ features: [], tags: [], privateFallbackBlocks: null, fees: null },
};
const numberOf = (tag: unknown): number => (tag === 'latest' ? HEAD : Number(tag));

describe('EvmTransactionChain', () => {
  it('finds a transaction however old it is', async () => {
    const { pool } = await FakePool.start({
      eth_getTransactionCount: ([, tag]) => ({ result: numberOf(tag) >= MINED_IN ? '0x1' : '0x0' }),
      eth_getBlockByNumber: ([tag]) => ({
        result: {
          ...{ number: `0x${numberOf(tag).toString(16)}`, hash: HASH, parentHash: HASH },
          ...{ timestamp: '0x1', gasLimit: '0x1', transactions: [HASH] },
        },
      }),
      eth_getTransactionByHash: { result: { hash: HASH, from: ALICE, nonce: '0x0' } },
    });
    const chain = new EvmTransactionChain({ public: pool, private: undefined }, NETWORK);
    const found = { hash: HASH, block_number: MINED_IN, r: null, s: null };
    expect(await chain.findMined(ALICE, 0)).toEqual(found);
  });
});
