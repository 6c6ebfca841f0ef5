import { invalidRequest } from '../../../common/errors/domain-error';
import { isObject } from '../../../common/validation/json-object';
import type { JsonRpcCall } from '../../../chains/rpc/json-rpc';

export type RpcId = string | number | null;

/** A client's call: JSON-RPC 2.0, except that `jsonrpc` and `id` may be omitted. */
export interface RpcRequest extends JsonRpcCall {
  /** 1 if the client sent none. */
  id: RpcId;
}

/** Calls of a JSON-RPC batch. @limit Lists and batches */
const MAX_BATCH = 100;
const MAX_METHOD_LENGTH = 64;

/** The calls of a batch; undefined for a single call. @throws DomainError `invalid_request` */
export function batchOf(body: unknown): unknown[] | undefined {
  if (!Array.isArray(body)) return undefined;
  if (body.length === 0 || body.length > MAX_BATCH)
    throw invalidRequest(`a batch must have 1 to ${MAX_BATCH} calls`);
  return body as unknown[];
}

/** @throws DomainError `invalid_request` */
export function parseRpcRequest(value: unknown): RpcRequest {
  if (!isObject(value)) throw invalidRequest('a call must be a JSON object');
  const { method, params, id = 1 } = value;
  if (typeof method !== 'string' || method === '') throw invalidRequest("Missing 'method' field");
  if (method.length > MAX_METHOD_LENGTH)
    throw invalidRequest(`Invalid 'method' field: must have at most ${MAX_METHOD_LENGTH} characters`);
  if (!isRpcId(id)) throw invalidRequest("Invalid 'id' field: must be a string, integer, or null");
  return { id, method, params: params ?? [] };
}

/** The id of a call that may otherwise be malformed. */
export function rpcIdOf(value: unknown): RpcId {
  if (!isObject(value) || !('id' in value)) return null;
  return isRpcId(value.id) ? value.id : null;
}

function isRpcId(id: unknown): id is RpcId {
  return id === null || typeof id === 'string' || Number.isSafeInteger(id);
}
