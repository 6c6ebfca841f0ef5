import { DomainError } from '../../common/errors/domain-error';
import { checkExtent } from '../../common/validation/json-extent';
import { DTO_LIMITS } from '../../common/validation/json-limits';
import { type JsonRpcCall, type JsonRpcResponse, MalformedResponseError } from './json-rpc';
import { isUnread, type NodeContent, toJsonRpcError } from './response/node-response';

/** A call that the service makes for itself. */
export interface InternalCall extends JsonRpcCall {
  /** How many bytes the body of the response may have. A node that responds with more has failed. */
  maxBytes: number;
  /** A contract decides how much the response has: one that is too large is no failure of the node. */
  isSizedByContract?: boolean;
}

/**
 * The values of a response to an internal call. Its shape is held against the limits of request bodies first, since
 * `JSON.parse` cannot be interrupted.
 *
 * @throws MalformedResponseError
 */
export function parseNodeResponse(response: NodeContent): JsonRpcResponse {
  if (!('error' in response)) return { result: parseBounded(response.result.toString()) };
  const { content, error } = response;
  return { error: isUnread(content) ? toJsonRpcError(parseBounded(error.toString())) : content };
}

/** The text is known to be JSON. */
function parseBounded(text: string): unknown {
  try {
    // It is small, so all of its steps are taken at once.
    Array.from(checkExtent(text, DTO_LIMITS));
  } catch (error) {
    throw error instanceof DomainError ? new MalformedResponseError('has more in it than is read') : error;
  }
  return JSON.parse(text) as unknown;
}
