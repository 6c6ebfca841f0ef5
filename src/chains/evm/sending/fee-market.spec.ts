import { FakePool, type NodeResponses } from '../../../../test/support/fake-pool';
import { NodeRefusedError } from '../node-read';
import { readFeeMarket } from './fee-market';
import { feeSettingsOf } from './fee-settings';

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;
const REFUSED = { error: { code: -32601, message: 'the method eth_feeHistory does not exist' } };

/** The result of eth_feeHistory with these tips for each block. */
const history = (rewards: (bigint | number)[][], fields: object = {}) => ({
  result: {
    oldestBlock: '0x64',
    baseFeePerGas: Array.from({ length: rewards.length + 1 }, (_, i) => hex(100 + i)),
    gasUsedRatio: rewards.map(() => 0.5),
    reward: rewards.map((row) => row.map(hex)),
    ...fields,
  },
});

const NODE: NodeResponses = {
  eth_feeHistory: history([
    [10, 20, 30, 40],
    [0, 0, 0, 0],
    [11, 22, 33, 44],
    [1, 2, 3, 900],
  ]),
  eth_gasPrice: { result: '0x7b' },
  eth_maxPriorityFeePerGas: { result: '0x5' },
};
const TIPS = { safeLow: 10n, average: 20n, fast: 30n, fastest: 44n };
const MARKET = { baseFee: 104n, tips: TIPS, gasPrice: 123n };

/** The settings of a network that requires a tip. */
const demanding = (tip: bigint) => feeSettingsOf('1', { min_priority_fee: tip.toString() });

const all = (tip: bigint) => ({ safeLow: tip, average: tip, fast: tip, fastest: tip });

describe('readFeeMarket', () => {
  it('uses the median of the tips paid, and the base fee of the next block', async () => {
    const fake = await FakePool.start(NODE);
    expect(await readFeeMarket(fake.pool, demanding(1n))).toEqual(MARKET);
    expect(fake.received.map(([, method]) => method).sort()).toEqual(['eth_feeHistory', 'eth_gasPrice']);
  });

  it('raises lower tips to the minimum', async () => {
    const { pool } = await FakePool.start(NODE);
    expect((await readFeeMarket(pool, demanding(25n))).tips).toEqual({
      safeLow: 25n,
      average: 25n,
      fast: 30n,
      fastest: 44n,
    });
  });

  it('raises a tip to that of a slower speed', async () => {
    const { pool } = await FakePool.start({ ...NODE, eth_feeHistory: history([[9, 5, 7, 3]]) });
    expect((await readFeeMarket(pool, demanding(1n))).tips).toEqual(all(9n));
  });

  it.each([
    ['no tip was paid', history([[0, 0, 0, 0]])],
    ['the node tells no tips', history([[0, 0, 0, 0]], { reward: undefined })],
    ['the tips are null', history([[0, 0, 0, 0]], { reward: null })],
    ['the tips are empty', history([[0, 0, 0, 0]], { reward: [] })],
  ])('uses the tip that the node suggests if %s', async (_what, eth_feeHistory) => {
    const fake = await FakePool.start({ ...NODE, eth_feeHistory });
    expect((await readFeeMarket(fake.pool, demanding(1n))).tips).toEqual(all(5n));
    expect((await readFeeMarket(fake.pool, demanding(7n))).tips).toEqual(all(7n));
    fake.first({ ...NODE, eth_feeHistory, eth_maxPriorityFeePerGas: REFUSED });
    fake.second({ eth_maxPriorityFeePerGas: REFUSED });
    expect((await readFeeMarket(fake.pool, demanding(3n))).tips).toEqual(all(3n));
  });

  it('reads the next base fee from a node that has no past blocks', async () => {
    const fake = await FakePool.start({ ...NODE, eth_feeHistory: history([]) });
    expect(await readFeeMarket(fake.pool, demanding(1n))).toEqual({
      ...MARKET,
      baseFee: 100n,
      tips: all(5n),
    });
    expect(fake.states).toEqual(['ready', 'ready']);
  });

  it('uses the suggested tip for the speeds at which no tip was paid', async () => {
    const { pool } = await FakePool.start({ ...NODE, eth_feeHistory: history([[0, 0, 0, 9]]) });
    expect((await readFeeMarket(pool, demanding(1n))).tips).toEqual({ ...all(5n), fastest: 9n });
  });

  it.each([
    ['the node has no fee history', REFUSED],
    ['no base fee is told', history([[1, 1, 1, 1]], { baseFeePerGas: undefined })],
    ['the base fee is 0', history([[1, 1, 1, 1]], { baseFeePerGas: ['0x0', '0x0'] })],
  ])('falls back to the gas price if %s', async (_what, eth_feeHistory) => {
    const { pool } = await FakePool.start({ ...NODE, eth_feeHistory }, { eth_feeHistory: REFUSED });
    expect(await readFeeMarket(pool, demanding(2n))).toEqual({
      baseFee: 0n,
      tips: all(2n),
      gasPrice: 123n,
    });
  });

  it('throws NodeRefusedError if no node has a gas price', async () => {
    const { pool } = await FakePool.start({ ...NODE, eth_gasPrice: REFUSED }, { eth_gasPrice: REFUSED });
    await expect(readFeeMarket(pool, demanding(1n))).rejects.toBeInstanceOf(NodeRefusedError);
  });

  it('requests each percentile of the network once, since nodes refuse duplicates', async () => {
    const asked: unknown[] = [];
    const { pool } = await FakePool.start({
      ...NODE,
      eth_feeHistory: ([, , percentiles]) => {
        asked.push(percentiles);
        return history([[10, 20]]);
      },
    });
    const percentiles = { safeLow: 10.5, average: 10.5, fast: 10.5, fastest: 90 };
    const { tips } = await readFeeMarket(pool, feeSettingsOf('1', { percentiles }));
    expect(asked).toEqual([[10.5, 90]]);
    expect(tips).toEqual({ safeLow: 10n, average: 10n, fast: 10n, fastest: 20n });
  });

  it('requests only the gas price and the block number on a legacy network', async () => {
    const fake = await FakePool.start(NODE);
    const settings = feeSettingsOf('1', { legacy: true, min_priority_fee: 2 });
    expect(await readFeeMarket(fake.pool, settings)).toEqual({
      baseFee: 0n,
      tips: all(2n),
      gasPrice: 123n,
    });
    expect(fake.received.map(([, method]) => method).sort()).toEqual(['eth_gasPrice']);
  });

  const HUGE = hex(10n ** 40n);

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', '0x1'],
    ['a list', []],
    ['an empty object', {}],
    ['no oldest block', history([[1, 1, 1, 1]], { oldestBlock: undefined }).result],
    ['a block number beyond 2^53', history([[1, 1, 1, 1]], { oldestBlock: '0x20000000000000' }).result],
    ['a negative base fee', history([[1, 1, 1, 1]], { baseFeePerGas: ['0x1', '-0x1'] }).result],
    ['a base fee of 10^40', history([[1, 1, 1, 1]], { baseFeePerGas: ['0x1', HUGE] }).result],
    ['a base fee as a number', history([[1, 1, 1, 1]], { baseFeePerGas: [1, 2] }).result],
    ['tips without base fees', history([[1, 1, 1, 1]], { baseFeePerGas: ['0x1'] }).result],
    ['no base fees at all', history([], { baseFeePerGas: [] }).result],
    ['base fees that are no list', history([], { baseFeePerGas: '0x1' }).result],
    ['more blocks than it was asked for', history(Array.from({ length: 9 }, () => [1, 1, 1, 1])).result],
    ['tips of another number of blocks', history([[1, 1, 1, 1]], { reward: [[], []] }).result],
    ['too few percentiles', history([[1, 1, 1]]).result],
    ['too many percentiles', history([[1, 1, 1, 1, 1]]).result],
    ['a negative tip', history([[1, 1, 1, 1]], { reward: [['0x1', '-0x1', '0x1', '0x1']] }).result],
    ['a tip of 10^40', history([[1, 1, 1, 10n ** 40n]]).result],
    ['a tip of null', history([[1, 1, 1, 1]], { reward: [[null, '0x1', '0x1', '0x1']] }).result],
    ['a row that is no list', history([[1, 1, 1, 1]], { reward: ['0x1'] }).result],
    ['rows that are no list', history([[1, 1, 1, 1]], { reward: {} }).result],
  ])('calls another node after a fee history of %s', async (_what, result) => {
    const fake = await FakePool.start({ ...NODE, eth_feeHistory: { result } }, NODE);
    expect(await readFeeMarket(fake.pool, demanding(1n))).toEqual(MARKET);
    expect(fake.states).toEqual(['resting', 'ready']);
  });

  it.each(['eth_gasPrice', 'eth_maxPriorityFeePerGas'])(
    'calls another node after an invalid %s',
    async (method) => {
      const eth_feeHistory = history([[0, 0, 0, 0]]);
      for (const result of [null, 5, '-0x1', HUGE, '', {}, []]) {
        const good: NodeResponses = { ...NODE, eth_feeHistory };
        const fake = await FakePool.start({ ...good, [method]: { result } }, good);
        expect((await readFeeMarket(fake.pool, demanding(1n))).gasPrice).toBe(123n);
        expect(fake.states).toEqual(['resting', 'ready']);
      }
    },
  );
});
