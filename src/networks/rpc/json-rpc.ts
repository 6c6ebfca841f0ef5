import { nestsDeeperThan } from './json-depth';

/** Enough for traces, which nest twice for each of up to 1024 calls. Twice as deep, and `JSON.stringify` runs out of stack. */
const MAX_DEPTH = 2500;

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
export type JsonRpcAnswer = { result: unknown } | { error: JsonRpcError };

/** The node's answer is not one to the call that was made. */
export class MalformedAnswerError extends Error {
  constructor(what: string) {
    super(`The answer ${what}`);
    this.name = 'MalformedAnswerError';
  }
}

export function encodeCall(id: number, { method, params }: JsonRpcCall): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
}

/**
 * Reads the answer to the call with this id. An error may have the id null, as JSON-RPC 2.0 says of calls that the node
 * could not read.
 *
 * @throws MalformedAnswerError
 */
export function parseAnswer(body: Buffer, id: number): JsonRpcAnswer {
  const answer = parseObject(body);
  const error = answer.error ?? null;
  if (answer.id !== id && !(error !== null && (answer.id ?? null) === null))
    throw new MalformedAnswerError('has another id than the call');
  if (error !== null) return { error: parseError(error) };
  if (!('result' in answer)) throw new MalformedAnswerError('has neither result nor error');
  return { result: answer.result };
}

function parseObject(body: Buffer): Record<string, unknown> {
  if (nestsDeeperThan(MAX_DEPTH, body)) throw new MalformedAnswerError('nests too deep');
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new MalformedAnswerError('is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedAnswerError('is not a JSON object');
  return value as Record<string, unknown>;
}

/** The members of an error; whatever else a node adds to it is not part of JSON-RPC. */
function parseError(value: unknown): JsonRpcError {
  if (typeof value === 'object' && value !== null && 'code' in value && 'message' in value) {
    const { code, message } = value;
    if (Number.isSafeInteger(code) && typeof message === 'string')
      return { code: code as number, message, ...('data' in value && { data: value.data }) };
  }
  throw new MalformedAnswerError('has an error without code and message');
}
