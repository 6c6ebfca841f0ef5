const GWEI = 10n ** 9n;

/**
 * Minimum tips in wei, by chain id. Nodes of these networks refuse lower tips, and their fee history may contain no
 * higher ones.
 *
 * - Polygon: bor accepts no tip below 25 gwei, nor on its test network.
 * - BNB Smart Chain: validators include nothing below 0.05 gwei.
 */
const MINIMUM_TIPS: ReadonlyMap<string, bigint> = new Map([
  ['137', 25n * GWEI],
  ['80002', 25n * GWEI],
  ['56', GWEI / 20n],
  ['97', GWEI / 20n],
]);

/** The default price limit of geth (`--txpool.pricelimit`). */
const DEFAULT_TIP = 1n;

/** The lowest tip that the nodes of a chain accept, in wei. @param chainId decimal digits */
export function minimumTipOf(chainId: string): bigint {
  return MINIMUM_TIPS.get(chainId) ?? DEFAULT_TIP;
}
