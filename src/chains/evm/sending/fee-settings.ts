import { type JsonInteger, parseBigInteger } from '../../../common/validation/big-integer';
import { type Speed, SPEEDS } from './fees';
import { minimumTipOf } from './minimum-tip';

/** The fee settings of a network as they are stored. Missing ones have their defaults. */
export interface NetworkFeeFields {
  /** In wei. */
  min_priority_fee?: JsonInteger;
  /** Percentiles of the tips paid in a block, by speed; 0 to 100. */
  percentiles?: Partial<Record<Speed, number>>;
  legacy?: boolean;
}

/** How the fees of a network are determined. */
export interface FeeSettings {
  /** In wei. Nodes of the network accept no lower tip. */
  minimumTip: bigint;
  /** Percentiles of the tips paid in a block, by speed. */
  percentiles: Readonly<Record<Speed, number>>;
  /** Whether only the node's gas price is used, and transactions are of type 0. */
  legacy: boolean;
}

const PERCENTILES: FeeSettings['percentiles'] = { safeLow: 30, average: 50, fast: 85, fastest: 99 };

/** The fee settings of a network, with the defaults of its chain. @param chainId decimal digits */
export function feeSettingsOf(chainId: string, fields: NetworkFeeFields | null): FeeSettings {
  return {
    minimumTip: parseBigInteger(fields?.min_priority_fee) ?? minimumTipOf(chainId),
    percentiles: withDefaults(fields?.percentiles),
    legacy: fields?.legacy ?? false,
  };
}

/** Whether no speed has a lower percentile than a slower one, including the defaults of those that are missing. */
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
