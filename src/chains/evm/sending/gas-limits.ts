import { least, UINT64_MAX } from '../../../common/validation/big-integer';

/**
 * The gas limits of a transaction, by chain id (EIP-7825): 2^24 on Ethereum and its test networks, 32 million on
 * Polygon and Arbitrum.
 */
const TRANSACTION_GAS: ReadonlyMap<string, bigint> = new Map([
  ['1', 2n ** 24n],
  ['11155111', 2n ** 24n],
  ['17000', 2n ** 24n],
  ['560048', 2n ** 24n],
  ['137', 32_000_000n],
  ['80002', 32_000_000n],
  ['42161', 32_000_000n],
  ['42170', 32_000_000n],
  ['421614', 32_000_000n],
]);

/** Chains that have EIP-7623 for certain: Ethereum and its test networks. */
const WITH_DATA_FLOOR: ReadonlySet<string> = new Set(['1', '11155111', '17000', '560048']);

/** Whether the gas of a transaction has a floor that depends on its data (EIP-7623). False if that is not known. */
export const hasDataFloor = (chainId: bigint): boolean => WITH_DATA_FLOOR.has(chainId.toString());

/** The gas of a plain transfer. */
export const TRANSFER_GAS = 21_000n;

/** The maximum gas of one transaction. @param blockLimit the gas limit of a block, if it is known */
export function gasLimitOf(chainId: string, blockLimit: bigint = UINT64_MAX): bigint {
  const own = TRANSACTION_GAS.get(chainId) ?? UINT64_MAX;
  return least(own, blockLimit);
}

/**
 * A fifth more than a simulation used, since the state may change until the transaction is mined. A plain transfer
 * always uses the same amount.
 *
 * @param limit the maximum gas of one transaction
 * @returns undefined if not even the gas that was used is within the limit
 */
export function withMargin(gas: bigint, limit: bigint): bigint | undefined {
  if (gas > limit) return undefined;
  if (gas === TRANSFER_GAS) return gas;
  return least((gas * 6n + 4n) / 5n, limit);
}
