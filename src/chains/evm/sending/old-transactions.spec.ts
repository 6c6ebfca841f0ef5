import { FakePool } from '../../../../test/support/fake-pool';
import { toQuantity, Transaction, Wallet } from 'ethers';
import { EvmTransactionChain } from './evm-transaction-chain';

const ALICE = new Wallet(`0x${'a1'.repeat(32)}`);
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
    const fields = { type: 0, nonce: 0, gasPrice: 1, gasLimit: 21_000, chainId: 1 };
    const raw = await ALICE.signTransaction(fields);
    const { r, s, networkV } = Transaction.from(raw).signature!;
    const signature = { r: toQuantity(r), s: toQuantity(s), v: toQuantity(networkV!) };
    const { pool } = await FakePool.start({
      eth_getTransactionCount: ([, tag]) => ({ result: numberOf(tag) >= MINED_IN ? '0x1' : '0x0' }),
      eth_getBlockByNumber: ([tag]) => ({
        result: {
          ...{ number: `0x${numberOf(tag).toString(16)}`, hash: HASH, parentHash: HASH },
          ...{ timestamp: '0x1', gasLimit: '0x1', transactions: [HASH] },
        },
      }),
      eth_getTransactionByHash: {
        result: {
          ...{ hash: HASH, from: ALICE.address, nonce: '0x0', type: '0x0', gas: '0x5208', gasPrice: '0x1' },
          ...{ value: '0x0', input: '0x', blockNumber: toQuantity(MINED_IN), ...signature },
        },
      },
    });
    const chain = new EvmTransactionChain({ public: pool, private: undefined }, NETWORK);
    const found = { hash: HASH, block_number: MINED_IN, signed: { raw } };
    expect(await chain.findMined(ALICE.address, 0)).toMatchObject(found);
  });
});
