/** One call of a JSON-RPC request, possibly part of a batch. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** The members of a JSON-RPC response other than `jsonrpc` and `id`. */
export type Reply = { result: unknown } | { error: RpcError };

/**
 * How an HTTP exchange ends without a JSON-RPC response: the connection is broken, nothing ever arrives, or there is
 * only a status.
 */
export type Ending = 'drop' | 'hang' | { status: number };

export type Outcome = Reply | Ending;

/** Forwards the call, or a different one, to the node, and returns the reply. */
export type Forward = (call?: RpcCall) => Promise<Reply>;

/** A fault that affects calls. */
export interface Fault {
  /** Its name in the record of calls. */
  name: string;
  /** The methods for which it makes sense; by default all. */
  methods?: readonly string[];
  /** Returns undefined if the fault does not affect the call. */
  apply: (call: RpcCall, forward: Forward) => Outcome | undefined | Promise<Outcome | undefined>;
}

export const isReply = (outcome: Outcome): outcome is Reply =>
  typeof outcome === 'object' && !('status' in outcome);

/** `result`, `error`, `drop`, `hang` or `HTTP 502` */
export function nameOf(outcome: Outcome): string {
  if (typeof outcome === 'string') return outcome;
  if ('status' in outcome) return `HTTP ${outcome.status}`;
  return 'result' in outcome ? 'result' : 'error';
}
