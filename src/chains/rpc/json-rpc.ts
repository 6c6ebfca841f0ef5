/** A call as JSON-RPC 2.0 has it, without its id. */
export interface JsonRpcCall {
  method: string;
  /** Left out where it is undefined. */
  params?: unknown;
}

export interface JsonRpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** What a node said to a call. */
export type JsonRpcResponse = { result: unknown } | { error: JsonRpcError };

/** The node's answer is not one to the call that was made. */
export class MalformedResponseError extends Error {
  constructor(what: string) {
    super(`The answer ${what}`);
    this.name = 'MalformedResponseError';
  }
}

export function encodeCall(id: number, { method, params }: JsonRpcCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
}
