import { type JsonInteger, parseBigInteger } from '../../../common/validation/big-integer';
import { type Speed, SPEEDS } from './fees';
import { minimumTipOf } from './minimum-tip';

/** What a network says about its fees, as it is stored; what is absent has its default. */
export interface NetworkFeeFields {
  /** In wei. */
  min_priority_fee?: JsonInteger;
  /** Of the tips paid in a block, by speed; 0 to 100. */
  percentiles?: Partial<Record<Speed, number>>;
  legacy?: boolean;
}

/** How a network finds its fees. */
export interface FeeSettings {
  /** In wei; nodes of the network accept no lower tip. */
  minimumTip: bigint;
  /** Of the tips paid in a block, by speed. */
  percentiles: Readonly<Record<Speed, number>>;
  /** The gas price of the node is all that is asked for: transactions are of type 0. */
  legacy: boolean;
}

const PERCENTILES: FeeSettings['percentiles'] = { safeLow: 30, average: 50, fast: 85, fastest: 99 };

/** The settings of a network, with the defaults of its chain. @param chainId decimal digits */
export function feeSettingsOf(chainId: string, fields: NetworkFeeFields | null): FeeSettings {
  return {
    minimumTip: parseBigInteger(fields?.min_priority_fee) ?? minimumTipOf(chainId),
    percentiles: withDefaults(fields?.percentiles),
    legacy: fields?.legacy ?? false,
  };
}

/** Whether no speed has a lower percentile than a slower one, with the defaults where none is given. */
export function arePercentilesRising(given: NetworkFeeFields['percentiles']): boolean {
  const percentiles = withDefaults(given);
  return SPEEDS.every((speed, i) => {
    const slower = SPEEDS[i - 1];
    return slower === undefined || percentiles[slower] <= percentiles[speed];
  });
}

const withDefaults = (given: NetworkFeeFields['percentiles']): FeeSettings['percentiles'] => ({
  ...PERCENTILES,
  ...given,
});
