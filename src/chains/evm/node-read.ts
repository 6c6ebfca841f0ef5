import type { InternalCall } from '../rpc/internal-call';
import type { JsonRpcResponse } from '../rpc/json-rpc';
import { RpcUnavailableError } from '../rpc/endpoint-error';
import type { RpcPool } from '../rpc/rpc-pool';

/** The node understood the call but refused it. */
export class NodeRefusedError extends Error {
  constructor(code: number) {
    super(`The node refused the call (code ${code})`);
    this.name = 'NodeRefusedError';
  }
}

/**
 * The result of one call, parsed by `parse`.
 *
 * @param parse throws MalformedResponseError
 * @throws RpcUnavailableError, NodeRefusedError
 */
export async function readResult<T>(
  pool: RpcPool,
  call: InternalCall,
  parse: (result: unknown) => T,
): Promise<T> {
  return accepted(await pool.read(call, (response) => resultOf(response, parse)));
}

/** The parsed result of a response. An error is returned as a value, because it is not the endpoint's fault. */
export function resultOf<T>(
  response: JsonRpcResponse,
  parse: (result: unknown) => T,
): { value: T } | NodeRefusedError {
  return 'error' in response ? new NodeRefusedError(response.error.code) : { value: parse(response.result) };
}

/** @throws NodeRefusedError */
export function accepted<T>(result: { value: T } | NodeRefusedError): T {
  if (result instanceof NodeRefusedError) throw result;
  return result.value;
}

/** What was read from nodes; undefined if none responds, or if they refuse the call. */
export async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

/** Whether a read failed because no node responded, or they refused the call. */
export const isUnreadable = (error: unknown): error is Error =>
  error instanceof RpcUnavailableError || error instanceof NodeRefusedError;
