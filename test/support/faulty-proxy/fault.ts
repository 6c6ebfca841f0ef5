/** One call of a JSON-RPC request, which may be one of a batch. */
export interface RpcCall {
  method: string;
  params: readonly unknown[];
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** The members of a JSON-RPC response beside `jsonrpc` and `id`. */
export type Reply = { result: unknown } | { error: RpcError };

/** What becomes of an HTTP exchange without a JSON-RPC response: the connection is cut, nothing ever comes, or a bare status. */
export type Ending = 'drop' | 'hang' | { status: number };

export type Outcome = Reply | Ending;

/** Has the node reply to the call, or to another one. */
export type Forward = (call?: RpcCall) => Promise<Reply>;

/** Something that goes wrong with a call. */
export interface Fault {
  /** As the record of calls has it. */
  name: string;
  /** The methods that it makes sense for; all where left out. */
  methods?: readonly string[];
  /** Undefined: the call is none of its business. */
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
