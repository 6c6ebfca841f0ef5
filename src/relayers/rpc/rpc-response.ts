import { RpcUnavailableError } from '../../networks/rpc/endpoint-error';
import type { JsonRpcAnswer, JsonRpcError } from '../../networks/rpc/json-rpc';
import type { RpcId } from './rpc-request';

/** An answer of JSON-RPC 2.0 to a client. */
export type RpcResponse = { jsonrpc: '2.0'; id: RpcId } & JsonRpcAnswer;

export const failed = (id: RpcId, error: JsonRpcError): RpcResponse => ({ jsonrpc: '2.0', id, error });

/** The codes that clients of the OpenZeppelin Relayer know. */
export function unavailable({ failure }: RpcUnavailableError): JsonRpcError {
  if (failure === 'timeout') return { code: -33000, message: 'Request timeout' };
  return failure === 'rate_limited' || failure === 'overloaded'
    ? { code: -33001, message: 'Rate limited' }
    : { code: -33002, message: 'Bad gateway' };
}
