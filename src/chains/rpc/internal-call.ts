import { DomainError } from '../../common/errors/domain-error';
import { checkExtent } from '../../common/validation/json-extent';
import type { BytePieces } from '../../common/http/byte-pieces';
import { DTO_LIMITS, WIDE_LIMITS } from '../../common/validation/json-limits';
import { type JsonRpcCall, type JsonRpcResponse, MalformedResponseError } from './json-rpc';
import { isUnread, type NodeContent, toJsonRpcError } from './response/node-response';
import { resultMembers } from './response/result-members';

/** A call that the service makes for itself. */
export interface InternalCall extends JsonRpcCall {
  /** The maximum size of the response body. A node that sends more has failed. */
  maxBytes: number;
  /**
   * Whether a contract, or the sender of a transaction, determines the size of the response. If so, an oversized
   * response is not a failure of the node.
   */
  isSizedByContract?: boolean;
  /**
   * Whether a contract, which a client may have chosen, determines how long the node takes. If so, a timeout is not
   * necessarily a failure of the node.
   */
  isTimedByContract?: boolean;
  /** The members of the result to read; others are ignored. If omitted, all are read. */
  members?: readonly string[];
}

/**
 * Parses a response to an internal call, yielding to the event loop between steps. The shape is first checked against
 * the limits of request bodies, because `JSON.parse` cannot be interrupted.
 *
 * @throws MalformedResponseError
 */
export function* parseNodeResponse(
  response: NodeContent,
  { members }: Pick<InternalCall, 'members'> = {},
): Generator<void, JsonRpcResponse> {
  if ('error' in response) {
    const { content, error } = response;
    return { error: isUnread(content) ? toJsonRpcError(yield* parseBounded(error)) : content };
  }
  const { result } = response;
  return { result: yield* members ? parseMembers(result, members) : parseBounded(result) };
}

function* parseMembers(result: BytePieces, names: readonly string[]): Generator<void, unknown> {
  const members = yield* resultMembers(result, names);
  if (!members) return yield* parseBounded(result);
  const values: Record<string, unknown> = {};
  for (const [name, value] of members) values[name] = yield* parseBounded(value, WIDE_LIMITS);
  return values;
}

/** The bytes are known to be JSON. */
function* parseBounded(bytes: BytePieces, limits = DTO_LIMITS): Generator<void, unknown> {
  const text = bytes.toString();
  try {
    yield* checkExtent(text, limits);
  } catch (error) {
    throw error instanceof DomainError ? new MalformedResponseError('has more in it than is read') : error;
  }
  return JSON.parse(text) as unknown;
}
