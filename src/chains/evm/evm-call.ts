import type { InternalCall } from '../rpc/internal-call';

/** Response to one of the service's own calls whose result is a number. @limit Calls to nodes */
const SCALAR_BYTES = 4 * 1024;
/** Response to one of the service's own calls for a fee history: up to 1024 blocks. @limit Calls to nodes */
const RECORD_BYTES = 256 * 1024;
/**
 * Response to one of the service's own calls for a block: the hashes of 90,000 transactions. Only some members of it
 * are read.
 * @limit Calls to nodes
 */
const BLOCK_BYTES = 6 * 1024 * 1024;
/**
 * Response to one of the service's own calls for a receipt: 25,000 log entries, and all the memory that there is for
 * one response. Only some members of it are read.
 * @limit Calls to nodes
 */
const RECEIPT_BYTES = 12 * 1024 * 1024;
/**
 * Response to sending a transaction: its hash, or an error in which some nodes repeat the transaction.
 * @limit Calls to nodes
 */
const SENT_BYTES = 64 * 1024;
/**
 * Response to one of the service's own calls for a transaction, code, or the result of a contract, even in an error:
 * 128 KiB of data are twice as much in hex.
 * @limit Calls to nodes
 */
const DATA_BYTES = 512 * 1024;

/**
 * The methods that the service calls for itself, and the maximum size of their responses. Blocks are requested without
 * their transactions.
 */
export const EVM_CALL_BYTES = {
  eth_chainId: SCALAR_BYTES,
  eth_getTransactionCount: SCALAR_BYTES,
  eth_getBalance: SCALAR_BYTES,
  eth_gasPrice: SCALAR_BYTES,
  eth_getBlockByNumber: BLOCK_BYTES,
  eth_feeHistory: RECORD_BYTES,
  eth_getTransactionReceipt: RECEIPT_BYTES,
  eth_blockNumber: SCALAR_BYTES,
  eth_maxPriorityFeePerGas: SCALAR_BYTES,
  eth_sendRawTransaction: SENT_BYTES,
  eth_getTransactionByHash: DATA_BYTES,
  eth_getCode: DATA_BYTES,
  eth_call: DATA_BYTES,
  eth_estimateGas: DATA_BYTES,
  zks_estimateFee: DATA_BYTES,
} as const;

/** These execute a contract, which takes as long as the contract wants, up to the limit of the node. */
const TIMED_BY_CONTRACT: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas', 'zks_estimateFee']);
/** The contract decides how much data a revert carries, and how much a transaction logs. */
const SIZED_BY_CONTRACT: ReadonlySet<string> = new Set([...TIMED_BY_CONTRACT, 'eth_getTransactionReceipt']);

export type EvmMethod = keyof typeof EVM_CALL_BYTES;

/**
 * A call to an EVM node on the service's own behalf.
 *
 * @param members the members of the result to read; if omitted, all of them
 */
export function evmCall(
  method: EvmMethod,
  params: readonly unknown[],
  members?: readonly string[],
): InternalCall {
  return {
    method,
    params,
    maxBytes: EVM_CALL_BYTES[method],
    ...(SIZED_BY_CONTRACT.has(method) && { isSizedByContract: true }),
    ...(TIMED_BY_CONTRACT.has(method) && { isTimedByContract: true }),
    ...(members && { members }),
  };
}

/**
 * A call for a block or a transaction of others, who determine its size. One that is too large to be read is no failure
 * of the node.
 *
 * @param members as in {@link evmCall}
 */
export const searchCall = (
  method: 'eth_getBlockByNumber' | 'eth_getTransactionByHash',
  params: readonly unknown[],
  members: readonly string[],
): InternalCall => ({
  ...evmCall(method, params, members),
  maxBytes: BLOCK_BYTES,
  isSizedByContract: true,
});
