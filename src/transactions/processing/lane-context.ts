import type { ChainView, TransactionChain } from '../../chains/transaction-chain';
import type { UnsignedTransaction } from '../../chains/evm/transaction/unsigned-transaction';
import type { ActingRelayer } from '../../relayers/relayer.entity';
import type { AccountNonceEntity } from '../account-nonce.entity';
import type { LaneMemory } from './lane-memory';

/** The chain on which transactions are sent. */
export type Chain = TransactionChain<UnsignedTransaction>;

/** The input of one step of processing an account. */
export interface LaneContext {
  ledger: AccountNonceEntity;
  relayer: ActingRelayer;
  /** When the relayer was read, in milliseconds of `performance.now()`. */
  readAt: number;
  /** While signing is frozen, only attempts that are already signed are sent. */
  isFrozen: boolean;
  chain: Chain;
  view: ChainView;
  memory: LaneMemory;
}
