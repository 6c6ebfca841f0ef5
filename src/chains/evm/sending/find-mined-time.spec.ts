import { toBeHex } from 'ethers';
import { FakePool } from '../../../../test/support/fake-pool';
import { findMined } from './find-mined';

const TARGET = { address: `0x${'a1'.repeat(20)}`, nonce: 0, chainId: '1', hasOwnTypes: false };
const HEAD = 8;

/** Searches a block of 10 000 transactions. @param stepMs the time that passes between two steps of the search */
async function search(stepMs: number) {
  let [time, reads] = [0, 0];
  const transactions = Array.from({ length: 10_000 }, (_, i) => toBeHex(i, 32));
  const { pool } = await FakePool.start({
    eth_getTransactionCount: ([, tag]) => ({ result: Number(tag) === 0 ? '0x0' : '0x1' }),
    eth_getBlockByNumber: ([number]) => ({ result: { number, transactions } }),
    eth_getTransactionByHash: () => ((reads += 1), { result: null }),
  });
  const found = findMined(pool, TARGET, HEAD, () => (time += stepMs));
  const result = await found.catch((error: unknown) => error);
  return { result, reads };
}

describe('findMined', () => {
  it('ends after two minutes, however many transactions a block has, and however slowly nodes respond', async () => {
    expect(await search(10)).toEqual({ result: null, reads: 10_000 });
    const { result, reads } = await search(10_000);
    expect(result).toMatchObject({ failure: 'timeout' });
    expect(reads).toBeLessThanOrEqual(1200);
  });
});
