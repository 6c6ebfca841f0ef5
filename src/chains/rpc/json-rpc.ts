import type { Sharer } from '../../common/http/client-shares';

/** A JSON-RPC 2.0 request, without its id. */
export interface JsonRpcCall {
  method: string;
  /** Omitted from the request if undefined. */
  params?: unknown;
  /** Aborts the call when nobody waits for its response any more. Its reason is the error that the call then throws. */
  signal?: AbortSignal;
  /** The client for which it is made; by default that of the current request. */
  sharer?: Sharer | undefined;
}

export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** The response of a node to a call. */
export type JsonRpcResponse = { result: unknown } | { error: JsonRpcError };

/** The data that a node sent is not a valid response to the call. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`The response ${what}`);
    this.name = 'MalformedResponseError';
  }
}

export function encodeCall(id: number, { method, params }: JsonRpcCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
}
