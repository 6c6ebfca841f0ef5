import { BytePieces } from '../../../common/http/byte-pieces';
import { isObject } from '../../../common/validation/json-object';
import { type JsonRpcError, MalformedResponseError } from '../json-rpc';
import { type JsonMember, JsonScanError, JsonScanner } from './json-scanner';

/**
 * A node's response to a call: the result, or the error, parsed if possible. Both are valid JSON, in the bytes that
 * were received.
 */
export type NodeContent = { result: BytePieces } | { error: BytePieces; content: JsonRpcError };

/** A response and the memory it occupies. */
export type NodeResponse = NodeContent & {
  /**
   * Takes the bytes out of the memory for responses, because the connection of a client, which has a limit of its own,
   * holds them from now on. They remain valid until they are released.
   */
  handOver: () => void;
  /** Releases the memory. Must be called once the bytes are no longer used. */
  release: () => void;
  /** Whether it came with the status 403: the endpoint rejects this call, or every call. */
  isForbidden?: boolean;
};

/** Smaller parts are copied, so that they do not keep the whole body in memory. */
const SMALL_BYTES = 64 * 1024;

/** Bytes per step, between two turns of the event loop; takes less than a millisecond. */
const STEP_BYTES = 16 * 1024;
/** Larger errors are passed on without being parsed. */
const MAX_ERROR_BYTES = 16 * 1024;
/** The length of `"jsonrpc"` if every letter is escaped. Longer names are irrelevant. */
const MAX_NAME_BYTES = 64;
const MAX_ID_BYTES = 32;

/** Stands for an error that is too large to parse. */
const UNREAD_ERROR: JsonRpcError = { code: 0, message: '' };

const NAMES = new Set(['jsonrpc', 'id', 'result', 'error']);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A response object of JSON-RPC 2.0, with its id, or null if it has none. */
export interface ResponseMessage {
  id: unknown;
  result: BytePieces | undefined;
  /** Undefined if it is missing or null. */
  error: BytePieces | undefined;
}

/**
 * Parses the response to the call with this id, yielding to the event loop between steps. Only small members are
 * parsed. An error may have a null id, which JSON-RPC 2.0 allows for requests that the server could not parse.
 *
 * @throws MalformedResponseError
 */
export function* readNodeResponse(body: BytePieces, id: number): Generator<void, NodeContent> {
  const message = yield* readMessage(body);
  if (message.id !== id && !(message.error && message.id === null))
    throw new MalformedResponseError('has another id than the call');
  return contentOf(message);
}

/** Parses one response object in the same way. @throws MalformedResponseError */
export function* readMessage(body: BytePieces): Generator<void, ResponseMessage> {
  const members = yield* membersOf(body);
  const error = members.get('error');
  const id = members.get('id');
  return {
    id: id ? parseSmall(id, MAX_ID_BYTES) : null,
    result: members.get('result'),
    error: error !== undefined && parseSmall(error, 'null'.length) !== null ? error : undefined,
  };
}

/** @throws MalformedResponseError */
export function contentOf({ result, error }: ResponseMessage): NodeContent {
  if (error) return { error, content: readError(error) };
  if (!result) throw new MalformedResponseError('has neither result nor error');
  return { result };
}

function* membersOf(body: BytePieces): Generator<void, Map<string, BytePieces>> {
  const found = yield* scan(body);
  const members = new Map<string, BytePieces>();
  for (const { nameStart, nameEnd, valueStart, valueEnd } of found) {
    const name = parseSmall(body.slice(nameStart, nameEnd), MAX_NAME_BYTES);
    if (typeof name !== 'string' || !NAMES.has(name)) continue;
    if (members.has(name)) throw new MalformedResponseError(`has more than one ${name}`);
    members.set(name, detached(body.slice(valueStart, valueEnd)));
  }
  return members;
}

/** The bytes of a result or an error. */
export const lengthOf = (content: NodeContent): number =>
  ('error' in content ? content.error : content.result).length;

/** Whether a result or an error still refers to the memory of the body. */
export const isInBody = (content: NodeContent): boolean => lengthOf(content) > SMALL_BYTES;

function detached(part: BytePieces): BytePieces {
  return part.length > SMALL_BYTES ? part : new BytePieces([Buffer.concat(part.pieces)]);
}

function* scan(body: BytePieces): Generator<void, readonly JsonMember[]> {
  const scanner = new JsonScanner();
  if (!(yield* scanBy(scanner, body))) throw new MalformedResponseError('is not a JSON object');
  return scanner.members;
}

/** Scans a whole text in steps. @returns whether it is an object @throws MalformedResponseError */
export function* scanBy(scanner: JsonScanner, body: BytePieces): Generator<void, boolean> {
  try {
    let scanned = 0;
    for (const piece of body.pieces) {
      for (let start = 0; start < piece.length; start += STEP_BYTES) {
        // Small responses are scanned without yielding.
        if (scanned >= STEP_BYTES) yield;
        const step = piece.subarray(start, start + STEP_BYTES);
        scanner.write(step);
        scanned += step.length;
      }
    }
    return scanner.end();
  } catch (error) {
    throw error instanceof JsonScanError ? new MalformedResponseError(error.message) : error;
  }
}

/** Undefined if the text is longer. The text is known to be valid. */
function parseSmall(text: BytePieces, maxBytes: number): unknown {
  return text.length <= maxBytes ? JSON.parse(utf8.decode(text.toBuffer())) : undefined;
}

function readError(error: BytePieces): JsonRpcError {
  const value = parseSmall(error, MAX_ERROR_BYTES);
  if (value === undefined && error.pieces[0]?.[0] === 0x7b) return UNREAD_ERROR;
  return toJsonRpcError(value);
}

/** Whether an error was too large to parse. */
export const isUnread = (error: JsonRpcError): boolean => error === UNREAD_ERROR;

/** Parses a JSON-RPC 2.0 error. @throws MalformedResponseError */
export function toJsonRpcError(value: unknown): JsonRpcError {
  if (isObject(value)) {
    const { code, message } = value;
    if (Number.isSafeInteger(code) && typeof message === 'string')
      return { code: code as number, message, ...('data' in value && { data: value.data }) };
  }
  throw new MalformedResponseError('has an error without code and message');
}
