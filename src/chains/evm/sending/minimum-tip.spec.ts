import { minimumTipOf } from './minimum-tip';

describe('minimumTipOf', () => {
  it.each([
    ['137', 25_000_000_000n],
    ['80002', 25_000_000_000n],
    ['56', 50_000_000n],
    ['97', 50_000_000n],
    ['1', 1n],
    ['31337', 1n],
    ['', 1n],
    ['constructor', 1n],
  ])('for chain %s returns %d wei', (chainId, wei) => {
    expect(minimumTipOf(chainId)).toBe(wei);
  });
});
