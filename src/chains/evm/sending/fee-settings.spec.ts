import { arePercentilesRising, feeSettingsOf } from './fee-settings';

const DEFAULTS = { safeLow: 30, average: 50, fast: 85, fastest: 99 };

describe('feeSettingsOf', () => {
  it('returns the defaults of the chain', () => {
    expect(feeSettingsOf('1', null)).toEqual({ minimumTip: 1n, percentiles: DEFAULTS, legacy: false });
    expect(feeSettingsOf('137', {}).minimumTip).toBe(25_000_000_000n);
  });

  it('prefers the settings of the network, even lower ones', () => {
    expect(feeSettingsOf('137', { min_priority_fee: 0 }).minimumTip).toBe(0n);
    const fees = { min_priority_fee: '30000000000', percentiles: { fast: 60 }, legacy: true };
    expect(feeSettingsOf('137', fees)).toEqual({
      minimumTip: 30_000_000_000n,
      percentiles: { ...DEFAULTS, fast: 60 },
      legacy: true,
    });
  });
});

describe('arePercentilesRising', () => {
  it.each([
    [undefined, true],
    [{}, true],
    [{ safeLow: 0, average: 0, fast: 100, fastest: 100 }, true],
    [{ average: 30 }, true],
    [{ average: 29 }, false],
    [{ safeLow: 51 }, false],
    [{ fast: 99.5 }, false],
    [{ safeLow: 3, average: 2, fast: 1, fastest: 0 }, false],
  ])('for %j returns %s', (percentiles, isRising) => {
    expect(arePercentilesRising(percentiles)).toBe(isRising);
  });
});
