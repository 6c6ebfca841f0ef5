import type { InternalCall } from '../rpc/internal-call';

/** Response to one of the service's own calls whose result is one number. @limit Calls to nodes */
const SCALAR_BYTES = 4 * 1024;
/**
 * Response to one of the service's own calls whose result is an object with lists: hundreds of log entries in a
 * receipt, 1024 blocks in a fee history.
 * @limit Calls to nodes
 */
const RECORD_BYTES = 256 * 1024;

/** The methods that the service calls for itself, and the bytes of a response. A block is requested without its transactions. */
export const EVM_CALL_BYTES = {
  eth_chainId: SCALAR_BYTES,
  eth_getTransactionCount: SCALAR_BYTES,
  eth_getBalance: SCALAR_BYTES,
  eth_gasPrice: SCALAR_BYTES,
  eth_getBlockByNumber: RECORD_BYTES,
  eth_feeHistory: RECORD_BYTES,
  eth_getTransactionReceipt: RECORD_BYTES,
} as const;

export type EvmMethod = keyof typeof EVM_CALL_BYTES;

/** A call of the service's own to a node of an EVM chain. */
export function evmCall(method: EvmMethod, params: readonly unknown[]): InternalCall {
  return { method, params, maxBytes: EVM_CALL_BYTES[method] };
}
