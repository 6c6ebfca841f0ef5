import { gasLimitOf, withMargin } from './gas-limits';

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

  it.each<[bigint, bigint]>([
    [21_000n, 21_000n],
    [21_001n, 25_202n],
    [100_000n, 120_000n],
    [999_999n, 1_000_000n],
  ])('are a fifth above what a simulation took: %s → %s', (gas, limit) => {
    expect(withMargin(gas, 1_000_000n)).toBe(limit);
  });
});
