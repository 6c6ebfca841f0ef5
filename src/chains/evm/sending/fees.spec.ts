import { SeededRandom } from '../../../../test/support/seeded-random';
import {
  areSame,
  capOf,
  dynamicFees,
  type FeeMarket,
  type FeeRules,
  type Fees,
  highestPrice,
  isBelowBaseFee,
  isFarBelow,
  marketFees,
  noopCap,
  replacementFees,
  type Speed,
  SPEEDS,
  withPrice,
} from './fees';

const GWEI = 10n ** 9n;
const MARKET: FeeMarket = {
  baseFee: 10n * GWEI,
  tips: { safeLow: GWEI, average: 2n * GWEI, fast: 3n * GWEI, fastest: 5n * GWEI },
  gasPrice: 12n * GWEI,
};
const RULES: FeeRules = { legacy: false, minimumTip: 1n, cap: undefined };

const legacy = (gasPrice: bigint): Fees => ({ kind: 'legacy', gasPrice });
const dynamic = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees => ({
  kind: 'dynamic',
  maxFeePerGas,
  maxPriorityFeePerGas,
});

/** The maximum that a miner receives per unit of gas, in wei. */
const tipOf = (fees: Fees): bigint => (fees.kind === 'legacy' ? fees.gasPrice : fees.maxPriorityFeePerGas);

describe('marketFees', () => {
  it.each<[Speed, bigint, bigint]>([
    ['safeLow', 21n, 1n],
    ['average', 22n, 2n],
    ['fast', 23n, 3n],
    ['fastest', 25n, 5n],
  ])('offers twice the base fee plus the tip of %s', (speed, max, tip) => {
    expect(marketFees(MARKET, speed, RULES)).toEqual(dynamic(max * GWEI, tip * GWEI));
  });

  it.each<[Speed, bigint]>([
    ['safeLow', 12n],
    ['average', 15n],
    ['fast', 18n],
    ['fastest', 24n],
  ])('offers a multiple of the gas price for %s if fees are legacy', (speed, price) => {
    expect(marketFees(MARKET, speed, { ...RULES, legacy: true })).toEqual(legacy(price * GWEI));
    expect(marketFees({ ...MARKET, baseFee: 0n }, speed, RULES)).toEqual(legacy(price * GWEI));
  });

  it('rounds fractions of a wei up', () => {
    const market = { ...MARKET, baseFee: 0n, gasPrice: 3n };
    expect(SPEEDS.map((speed) => highestPrice(marketFees(market, speed, RULES)))).toEqual([3n, 4n, 5n, 6n]);
  });

  it('offers no less than the minimum tip', () => {
    const rules = { ...RULES, minimumTip: 25n * GWEI };
    expect(marketFees(MARKET, 'safeLow', rules)).toEqual(dynamic(45n * GWEI, 25n * GWEI));
    expect(marketFees(MARKET, 'safeLow', { ...rules, legacy: true })).toEqual(legacy(35n * GWEI));
  });

  it('limits the fee and the tip to the cap', () => {
    expect(marketFees(MARKET, 'fastest', { ...RULES, cap: 7n * GWEI })).toEqual(
      dynamic(7n * GWEI, 5n * GWEI),
    );
    expect(marketFees(MARKET, 'fastest', { ...RULES, cap: 3n })).toEqual(dynamic(3n, 3n));
    expect(marketFees(MARKET, 'fastest', { ...RULES, cap: 3n, legacy: true })).toEqual(legacy(3n));
  });
});

describe('capOf', () => {
  it('returns the cap of the policy, or five times the market price', () => {
    expect(capOf({ ...RULES, cap: 7n }, MARKET, 'fast')).toBe(7n);
    expect(capOf(RULES, MARKET, 'fast')).toBe(115n * GWEI);
    expect(capOf({ ...RULES, legacy: true }, MARKET, 'fast')).toBe(90n * GWEI);
  });
});

describe('replacementFees', () => {
  it.each([
    ['0', 0n, 1n],
    ['1 wei', 1n, 3n],
    ['8 wei', 8n, 10n],
    ['9 wei', 9n, 12n],
    ['100 gwei', 100n * GWEI, 112_500_000_001n],
  ])('rise above %s by an eighth, rounded up, and a wei', (_what, old, next) => {
    expect(replacementFees(legacy(old), legacy(0n), undefined)).toEqual(legacy(next));
    expect(replacementFees(dynamic(old, old), dynamic(0n, 0n), undefined)).toEqual(dynamic(next, next));
  });

  it('raise both fees, at least to those of the market', () => {
    expect(replacementFees(dynamic(800n, 80n), dynamic(1000n, 10n), undefined)).toEqual(dynamic(1000n, 91n));
    expect(replacementFees(dynamic(800n, 80n), dynamic(100n, 95n), undefined)).toEqual(dynamic(901n, 95n));
  });

  it('have the kind of the market, and rise above both prices of the other kind', () => {
    expect(replacementFees(legacy(800n), dynamic(100n, 10n), undefined)).toEqual(dynamic(901n, 901n));
    expect(replacementFees(dynamic(800n, 80n), legacy(100n), undefined)).toEqual(legacy(901n));
  });

  it('are undefined above the cap', () => {
    expect(replacementFees(legacy(800n), legacy(1n), 901n)).toEqual(legacy(901n));
    expect(replacementFees(legacy(800n), legacy(1n), 900n)).toBeUndefined();
    expect(replacementFees(dynamic(1n, 1n), dynamic(5n, 1n), 4n)).toBeUndefined();
  });
});

describe('noopCap', () => {
  it('is a quarter above the cap, and enough to replace an attempt at the cap', () => {
    expect(noopCap(undefined)).toBeUndefined();
    expect(noopCap(100n * GWEI)).toBe(125n * GWEI);
    for (const cap of [0n, 1n, 7n, 15n, 16n, GWEI])
      expect(replacementFees(dynamic(cap, cap), dynamic(0n, 0n), noopCap(cap))).toBeDefined();
  });
});

describe('isFarBelow', () => {
  it('requires a difference of a tenth', () => {
    expect(isFarBelow(legacy(90n), dynamic(100n, 1n))).toBe(true);
    expect(isFarBelow(dynamic(91n, 1n), legacy(100n))).toBe(false);
    expect(isFarBelow(legacy(110n), legacy(100n))).toBe(false);
  });
});

describe('withPrice', () => {
  it('changes the highest price, which the tip does not exceed', () => {
    expect(withPrice(legacy(100n), 60n)).toEqual(legacy(60n));
    expect(withPrice(dynamic(100n, 50n), 60n)).toEqual(dynamic(60n, 50n));
    expect(withPrice(dynamic(100n, 70n), 60n)).toEqual(dynamic(60n, 60n));
  });
});

describe('dynamicFees', () => {
  it('leaves the form of EIP-1559, and offers all of a gas price as a tip', () => {
    expect(dynamicFees(dynamic(7n, 2n))).toEqual(dynamic(7n, 2n));
    expect(dynamicFees(legacy(7n))).toEqual(dynamic(7n, 7n));
  });
});

describe('areSame', () => {
  it.each([
    [dynamic(7n, 2n), dynamic(7n, 2n), true],
    [legacy(7n), dynamic(7n, 7n), true],
    [dynamic(7n, 2n), dynamic(8n, 2n), false],
    [dynamic(7n, 2n), dynamic(7n, 3n), false],
    [legacy(7n), dynamic(7n, 2n), false],
  ])('compares both fees: case %#', (one, other, same) => {
    expect(areSame(one, other)).toBe(same);
  });
});

describe('isBelowBaseFee', () => {
  it('compares the highest price with the next base fee', () => {
    expect(isBelowBaseFee(legacy(MARKET.baseFee), MARKET)).toBe(false);
    expect(isBelowBaseFee(legacy(MARKET.baseFee - 1n), MARKET)).toBe(true);
    expect(isBelowBaseFee(dynamic(MARKET.baseFee - 1n, 0n), MARKET)).toBe(true);
    expect(isBelowBaseFee(dynamic(0n, 0n), { ...MARKET, baseFee: 0n })).toBe(false);
  });
});

describe('fees of any market', () => {
  const random = new SeededRandom('fees');
  const coin = (): boolean => random.below(2) === 0;

  const anyRules = (): FeeRules => ({
    legacy: coin(),
    minimumTip: random.bigint(40),
    cap: coin() ? random.bigint(128) : undefined,
  });

  const anyMarket = (): FeeMarket => ({
    baseFee: random.bigint(128),
    tips: {
      safeLow: random.bigint(128),
      average: random.bigint(128),
      fast: random.bigint(128),
      fastest: random.bigint(128),
    },
    gasPrice: random.bigint(128),
  });

  it('stay at or below the cap, with a tip that is not above the fee', () => {
    for (let i = 0; i < 2000; i += 1) {
      const [market, rules, speed] = [anyMarket(), anyRules(), SPEEDS[random.below(4)]!];
      const fees = marketFees(market, speed, rules);
      expect(tipOf(fees)).toBeLessThanOrEqual(highestPrice(fees));
      expect(highestPrice(fees)).toBeLessThanOrEqual(capOf(rules, market, speed));
    }
  });

  it('rise by at least an eighth and a wei with each replacement, up to the cap', () => {
    for (let i = 0; i < 500; i += 1) {
      const [rules, speed] = [anyRules(), SPEEDS[random.below(4)]!];
      const first = anyMarket();
      const cap = capOf(rules, first, speed);
      let old = marketFees(first, speed, rules);
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const market = marketFees(anyMarket(), speed, { ...rules, cap });
        const next = replacementFees(old, market, cap);
        if (!next) break;
        for (const price of [highestPrice, tipOf]) {
          expect(8n * price(next)).toBeGreaterThanOrEqual(9n * price(old) + 8n);
          expect(price(next)).toBeGreaterThanOrEqual(price(market));
        }
        expect(highestPrice(next)).toBeLessThanOrEqual(cap);
        expect(tipOf(next)).toBeLessThanOrEqual(highestPrice(next));
        expect(next.kind).toBe(market.kind);
        old = next;
      }
    }
  });
});
