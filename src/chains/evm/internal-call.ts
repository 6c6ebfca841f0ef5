import { DomainError } from '../../common/errors/domain-error';
import { checkExtent } from '../../common/validation/json-extent';
import { DTO_LIMITS } from '../../common/validation/json-limits';
import { type JsonRpcResponse, type JsonRpcCall, MalformedAnswerError } from '../rpc/json-rpc';
import type { NodeContent } from '../rpc/response/node-response';

/** One number. */
const SCALAR_BYTES = 4 * 1024;
/** An object with its lists: hundreds of log entries in a receipt, 1024 blocks in a fee history. */
const RECORD_BYTES = 256 * 1024;

/**
 * The calls that the service makes for itself, and how many bytes the body of the response may have. A node that responds
 * with more has failed. A block is asked for without its transactions.
 */
export const INTERNAL_RESPONSE_BYTES = {
  eth_chainId: SCALAR_BYTES,
  eth_getTransactionCount: SCALAR_BYTES,
  eth_getBalance: SCALAR_BYTES,
  eth_gasPrice: SCALAR_BYTES,
  eth_getBlockByNumber: RECORD_BYTES,
  eth_feeHistory: RECORD_BYTES,
  eth_getTransactionReceipt: RECORD_BYTES,
} as const;

/** A call that the service makes for itself. */
export interface InternalCall extends JsonRpcCall {
  method: keyof typeof INTERNAL_RESPONSE_BYTES;
}

/**
 * The values of a response to an internal call. Its shape is held against the limits of request bodies first, since
 * `JSON.parse` cannot be interrupted.
 *
 * @throws MalformedAnswerError
 */
export function parseNodeResponse(response: NodeContent): JsonRpcResponse {
  if ('error' in response) return { error: response.content };
  const text = response.result.toString();
  try {
    // It is small, so all of its steps are taken at once.
    Array.from(checkExtent(text, DTO_LIMITS));
  } catch (error) {
    throw error instanceof DomainError ? new MalformedAnswerError('has more in it than is read') : error;
  }
  return { result: JSON.parse(text) as unknown };
}
