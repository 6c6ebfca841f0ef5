import { DomainError } from '../../common/errors/domain-error';
import { checkExtent } from '../../common/validation/json-extent';
import { DTO_LIMITS } from '../../common/validation/json-limits';
import { type JsonRpcCall, type JsonRpcResponse, MalformedResponseError } from './json-rpc';
import type { NodeContent } from './response/node-response';

/** A call that the service makes for itself. */
export interface InternalCall extends JsonRpcCall {
  /** How many bytes the body of the response may have. A node that responds with more has failed. */
  maxBytes: number;
}

/**
 * The values of a response to an internal call. Its shape is held against the limits of request bodies first, since
 * `JSON.parse` cannot be interrupted.
 *
 * @throws MalformedResponseError
 */
export function parseNodeResponse(response: NodeContent): JsonRpcResponse {
  if ('error' in response) return { error: response.content };
  const text = response.result.toString();
  try {
    // It is small, so all of its steps are taken at once.
    Array.from(checkExtent(text, DTO_LIMITS));
  } catch (error) {
    throw error instanceof DomainError ? new MalformedResponseError('has more in it than is read') : error;
  }
  return { result: JSON.parse(text) as unknown };
}
