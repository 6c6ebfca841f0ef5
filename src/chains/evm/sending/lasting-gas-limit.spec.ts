import { FakeEndpoints, type Statement } from '../../../../test/support/fake-endpoints';
import type { AttemptContent } from '../../transaction-chain';
import { EvmTransactionChain } from './evm-transaction-chain';

const SENDER = `0x${'a1'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const HIGH = 30_000_000;
const LOW = 16_000_000;
const BLOCK_MS = 12_000;
/** Ten minutes. */
const BLOCKS = 50;
const NEVER = { never: `Transaction gas limit (20000000) exceeds block gas limit (${LOW})` };

const hex = (number: number): string => `0x${number.toString(16)}`;

/** The first block with the low limit, as an endpoint reports it; undefined if it reports no such block. */
type Lowered = number | undefined | 'silent' | 'without old blocks';

/** Whether an attempt with 20 million gas fits into a block once an endpoint has reported the low limit. */
async function fitAt(head: number, lowered: readonly Lowered[], chainId = '5000') {
  let newest = 1;
  const statements = lowered.map((first): Statement => {
    if (first === 'silent') return first;
    return (method, [tag]) => {
      if (method !== 'eth_getBlockByNumber') return { result: '0x0' };
      const number = tag === 'latest' ? newest : Number(tag);
      if (first === 'without old blocks' && number < newest) return { result: null };
      const isLow = newest > 1 && number >= (typeof first === 'number' ? first : Infinity);
      const gasLimit = hex(isLow || first === 'without old blocks' ? LOW : HIGH);
      const block = { number: hex(number), hash: HASH, parentHash: HASH, timestamp: '0x1', gasLimit };
      return { result: number > newest ? null : block };
    };
  });
  const endpoints = new FakeEndpoints(statements);
  const chain = new EvmTransactionChain(
    { public: endpoints.pool, private: undefined },
    {
      ...{ chainId, requiredConfirmations: 12, averageBlocktimeMs: BLOCK_MS, fees: null },
      ...{ features: [], tags: [], privateFallbackBlocks: null },
    },
  );
  await endpoints.pool.verify(0);
  await chain.read(SENDER);
  newest = head;
  await chain.read(SENDER);
  const fit = await chain.fit({ gas_limit: '20000000' } as AttemptContent);
  return { fit, blocks: endpoints.count('eth_getBlockByNumber') };
}

describe('An attempt that has more gas than the newest block', () => {
  it.each<[string, number, Lowered[]]>([
    ['ten minutes ago', 1000, [1000 - BLOCKS]],
    ['long ago', 1000, [500]],
    ['long ago, say both endpoints', 1000, [500, 500]],
    ['long ago, say two of three', 1000, [500, 500, undefined]],
    ['long ago, says the one that responds', 1000, [500, 'silent']],
    ['long ago, says the one that has old blocks', 1000, [500, 'without old blocks']],
  ])('is given up if the limit was lowered %s', async (_what, head, lowered) => {
    expect((await fitAt(head, lowered)).fit).toEqual(NEVER);
  });

  it.each<[string, number, Lowered[]]>([
    ['less than ten minutes ago', 1000, [1000 - BLOCKS + 1]],
    ['less than ten minutes ago, say two of three', 1000, [960, 960, 500]],
    ['long ago, says one of two', 1000, [500, undefined]],
    ['long ago, says one of three', 1000, [500, undefined, undefined]],
    ['before the chain was ten minutes old', BLOCKS - 1, [0]],
    ['when nobody knows', 1000, ['without old blocks']],
  ])('is not given up if the limit was lowered %s', async (_what, head, lowered) => {
    expect(['now', 'later']).toContain((await fitAt(head, lowered)).fit);
  });

  it('is given up at once if no block of the network may ever hold it', async () => {
    expect((await fitAt(1000, [1000], '1')).fit).toEqual({
      never: 'Transaction gas limit (20000000) exceeds block gas limit (16777216)',
    });
  });

  it('costs no call unless it has too much', async () => {
    expect(await fitAt(1000, [undefined])).toEqual({ fit: 'now', blocks: 2 });
  });
});
