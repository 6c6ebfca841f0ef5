import type { Inclusion } from './transaction-chain';

/** Whether two receipts say the same. The number of the block counts too: a wrong receipt may have only that changed. */
export const isSameInclusion = (one: Inclusion | null, other: Inclusion): boolean =>
  one?.hash === other.hash &&
  one.block_number === other.block_number &&
  one.block_hash === other.block_hash &&
  one.succeeded === other.succeeded;
