export const NETWORK_TYPES = ['evm', 'solana', 'stellar'] as const;

/** The families of networks that a relayer can belong to. */
export type NetworkType = (typeof NETWORK_TYPES)[number];
