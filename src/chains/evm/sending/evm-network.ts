import type { RpcPool } from '../../rpc/rpc-pool';
import type { NetworkFeeFields } from './fee-settings';

/** The properties of a network that the sending of transactions depends on. */
export interface EvmNetwork {
  chainId: string;
  /** Blocks after which a transaction is final. */
  requiredConfirmations: number;
  averageBlocktimeMs: number | null;
  features: readonly string[];
  tags: readonly string[];
  /** As `TransactionChain.privateFallbackBlocks`. */
  privateFallbackBlocks: number | null;
  /** Null if all fee settings have their defaults. */
  fees: NetworkFeeFields | null;
}

/** The endpoints of a chain. */
export interface EvmPools {
  /** For all reads, and for public sending. */
  public: RpcPool;
  /** For private sending only. */
  private: RpcPool | undefined;
}
