import { BytePieces } from '../../../common/http/byte-pieces';
import { RpcUnavailableError } from '../../../chains/rpc/endpoint-error';
import type { JsonRpcError } from '../../../chains/rpc/json-rpc';
import type { RpcId } from './rpc-request';

const COMMA = Buffer.from(',');
const END_OF_OBJECT = Buffer.from('}');

/** A JSON-RPC 2.0 response to a client, containing the result or error in the bytes that a node sent. */
export function responseOf(id: RpcId, member: 'result' | 'error', value: BytePieces): BytePieces {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${member}":`);
  return new BytePieces([head, ...value.pieces, END_OF_OBJECT]);
}

/** A response with one of the service's own errors. */
export function failed(id: RpcId, error: JsonRpcError): BytePieces {
  return new BytePieces([Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }))]);
}

/** The response to a batch, in the order of its calls. */
export function batchOfResponses(responses: readonly BytePieces[]): BytePieces {
  const items = responses.flatMap(({ pieces }, index) => (index === 0 ? pieces : [COMMA, ...pieces]));
  return new BytePieces([Buffer.from('['), ...items, Buffer.from(']')]);
}

/** The error codes that clients of the OpenZeppelin Relayer know. */
export function unavailable({ failure }: RpcUnavailableError): JsonRpcError {
  if (failure === 'timeout') return { code: -33000, message: 'Request timeout' };
  return failure === 'rate_limited' || failure === 'overloaded'
    ? { code: -33001, message: 'Rate limited' }
    : { code: -33002, message: 'Bad gateway' };
}
