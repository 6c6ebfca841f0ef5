import type { InternalCall } from '../rpc/internal-call';

/** Response to one of the service's own calls whose result is one number. @limit Calls to nodes */
const SCALAR_BYTES = 4 * 1024;
/**
 * Response to one of the service's own calls whose result is an object with lists: hundreds of log entries in a
 * receipt, 1024 blocks in a fee history.
 * @limit Calls to nodes
 */
const RECORD_BYTES = 256 * 1024;
/** Response to a transaction that is sent: its hash, or an error in which some nodes repeat it. @limit Calls to nodes */
const SENT_BYTES = 64 * 1024;
/**
 * A transaction with its data of 128 KiB as hex, its lists and a margin; code, of which no chain has more; and what a
 * contract returned, also in an error.
 * @limit Calls to nodes
 */
const DATA_BYTES = 512 * 1024;

/** The methods that the service calls for itself, and the bytes of a response. A block is requested without its transactions. */
export const EVM_CALL_BYTES = {
  eth_chainId: SCALAR_BYTES,
  eth_getTransactionCount: SCALAR_BYTES,
  eth_getBalance: SCALAR_BYTES,
  eth_gasPrice: SCALAR_BYTES,
  eth_getBlockByNumber: RECORD_BYTES,
  eth_feeHistory: RECORD_BYTES,
  eth_getTransactionReceipt: RECORD_BYTES,
  eth_blockNumber: SCALAR_BYTES,
  eth_maxPriorityFeePerGas: SCALAR_BYTES,
  eth_sendRawTransaction: SENT_BYTES,
  eth_getTransactionByHash: DATA_BYTES,
  eth_getCode: DATA_BYTES,
  eth_call: DATA_BYTES,
  eth_estimateGas: DATA_BYTES,
} as const;

/** A revert carries as much data as the contract likes. */
const SIZED_BY_CONTRACT: ReadonlySet<string> = new Set(['eth_call', 'eth_estimateGas']);

export type EvmMethod = keyof typeof EVM_CALL_BYTES;

/** A call of the service's own to a node of an EVM chain. */
export function evmCall(method: EvmMethod, params: readonly unknown[]): InternalCall {
  const call = { method, params, maxBytes: EVM_CALL_BYTES[method] };
  return SIZED_BY_CONTRACT.has(method) ? { ...call, isSizedByContract: true } : call;
}
