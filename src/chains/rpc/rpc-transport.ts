import { eventLoopTurns } from '../../common/event-loop/event-loop-turns';
import { currentSharer } from '../../common/http/client-shares';
import { retryAfterMs } from '../../common/http/retry-after';
import { OutboundError } from '../../outbound/outbound-error';
import type { OutboundHttp } from '../../outbound/outbound-http';
import type { OutboundResponse, OutboundRequest, RetainedBody } from '../../outbound/outbound-message';
import type { CallJournal } from './call-journal';
import { EndpointError, type EndpointFailure, rejected } from './endpoint-error';
import { encodeCall, type JsonRpcCall, MalformedResponseError } from './json-rpc';
import { type NodeBatch, readNodeBatch } from './response/node-batch';
import {
  contentOf,
  isInBody,
  type NodeResponse,
  readMessage,
  readNodeResponse,
} from './response/node-response';

/** Time for one exchange with an endpoint, from the lookup of its name to the last byte. @limit Calls to nodes */
export const CALL_TIMEOUT_MS = 10_000;
/**
 * Larger responses are recorded in the journal while they are read. That costs two statements, which is little compared
 * with at least 5 ms of reading.
 */
const LARGE_BYTES = 1024 * 1024;

const FORBIDDEN = 403;
/** Statuses for a wrong key or path: the call itself was not processed. */
const REJECTIONS = new Set([401, FORBIDDEN, 404, 410]);

/** Statuses with which servers refuse batches that they do not support. */
const BATCH_REFUSALS = new Set([400, 404, 413, 415, 501]);

/** Sends calls to endpoints, which are identified by their URLs. */
export interface RpcTransport {
  /**
   * @param maxBytes the maximum size of the response body
   * @param isForwarded whether the call is made for a client
   * @param isCustom whether a client has chosen the endpoint
   * @throws EndpointError, or the reason of the call's signal
   */
  call(
    url: string,
    call: JsonRpcCall,
    maxBytes: number,
    isForwarded?: boolean,
    isCustom?: boolean,
  ): Promise<NodeResponse>;
  /**
   * Sends calls as one batch.
   *
   * @param maxBytes the maximum size of the response body
   * @param isCustom whether a client has chosen the endpoint
   * @returns undefined if the endpoint does not support batches
   * @throws EndpointError
   */
  callAll(
    url: string,
    calls: readonly JsonRpcCall[],
    maxBytes: number,
    isCustom?: boolean,
  ): Promise<NodeBatch | undefined>;
}

export interface TransportOptions {
  timeoutMs?: number;
  /** Records large responses while they are read. */
  journal?: Pick<CallJournal, 'watch'>;
}

/** JSON-RPC 2.0 over HTTP. */
export function httpTransport(
  http: OutboundHttp,
  { timeoutMs = CALL_TIMEOUT_MS, journal }: TransportOptions = {},
): RpcTransport {
  let lastId = 0;
  const nextId = (): number => (lastId = (lastId % Number.MAX_SAFE_INTEGER) + 1);
  const headers = { 'content-type': 'application/json', accept: 'application/json' };

  function post<T>(
    sent: Pick<
      OutboundRequest,
      'url' | 'operation' | 'body' | 'maxBytes' | 'isForwarded' | 'isCustom' | 'sharer' | 'signal'
    >,
    readBody: (response: OutboundResponse) => Promise<T>,
  ): Promise<T> {
    const request: OutboundRequest = { ...sent, purpose: 'rpc', headers, timeoutMs, onTooLarge: 'fail' };
    const read = (response: OutboundResponse): Promise<T> =>
      journal && response.pieces.length > LARGE_BYTES
        ? journal.watch(sent.url, () => readBody(response))
        : readBody(response);
    return explain(http.postThen(request, read), sent.signal);
  }

  return {
    call: (url, call, maxBytes, isForwarded = false, isCustom = false) => {
      const id = nextId();
      const sent = {
        url,
        operation: `rpc ${call.method}`,
        body: encodeCall(id, call),
        maxBytes,
        isForwarded,
        isCustom,
        sharer: call.sharer ?? currentSharer(),
        ...(call.signal && { signal: call.signal }),
      };
      return post(sent, (response) => readResponse(response, id));
    },
    callAll: (url, calls, maxBytes, isCustom = false) => {
      const ids = calls.map(nextId);
      const body = `[${calls.map((call, i) => encodeCall(ids[i] ?? 0, call)).join()}]`;
      return post({ url, operation: 'rpc batch', body, maxBytes, isCustom }, (response) =>
        readBatch(response, ids),
      );
    },
  };
}

async function explain<T>(exchange: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await exchange;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    throw new EndpointError(error.failure === 'aborted' ? 'connection' : error.failure, error.message);
  }
}

async function readResponse(response: OutboundResponse, id: number): Promise<NodeResponse> {
  const { status, pieces } = response;
  if (status === FORBIDDEN) return readForbidden(response, id);
  refuseStatus(response);
  try {
    refuseEncoding(response);
    const content = await eventLoopTurns.run(readNodeResponse(pieces, id));
    // Some nodes and providers send errors that the caller caused with an error status.
    if (status < 300 || 'error' in content)
      return { ...content, ...(isInBody(content) ? response.retain() : NOTHING_HELD) };
  } catch (error) {
    if (!(error instanceof MalformedResponseError)) throw error;
    if (status >= 200 && status < 300) throw new EndpointError('malformed', error.message);
  }
  throw unusable(response);
}

/**
 * Reads the response of a provider that forbids either this call, for example to archived state, or all calls. The
 * caller decides which of the two it is.
 *
 * @throws EndpointError `rejected` unless it is an error that refers to the call
 */
async function readForbidden(response: OutboundResponse, id: number): Promise<NodeResponse> {
  try {
    refuseEncoding(response);
    const message = await eventLoopTurns.run(readMessage(response.pieces));
    const content = contentOf(message);
    if (!response.truncated && message.id === id && 'error' in content && !isInBody(content))
      return { ...content, ...NOTHING_HELD, isForbidden: true };
  } catch (error) {
    if (!(error instanceof MalformedResponseError)) throw error;
  }
  throw rejected(FORBIDDEN);
}

async function readBatch(response: OutboundResponse, ids: readonly number[]): Promise<NodeBatch | undefined> {
  const { status, pieces } = response;
  if (BATCH_REFUSALS.has(status)) return undefined;
  refuseStatus(response);
  const isSuccess = status >= 200 && status < 300;
  try {
    refuseEncoding(response);
    if (!isSuccess) {
      // A single error for the whole batch: some providers refuse batches, or long ones, with a 500.
      if ((await eventLoopTurns.run(readMessage(pieces))).error) return undefined;
      throw unusable(response);
    }
    const contents = await eventLoopTurns.run(readNodeBatch(pieces, ids));
    const { release } = contents?.some(isInBody) ? response.retain() : NOTHING_HELD;
    return contents && { contents, release };
  } catch (error) {
    if (!(error instanceof MalformedResponseError)) throw error;
    throw isSuccess ? new EndpointError('malformed', error.message) : unusable(response);
  }
}

/** Throws for an error status whose body is irrelevant, and for a truncated response. */
function refuseStatus(response: OutboundResponse): void {
  const { status, truncated } = response;
  if (REJECTIONS.has(status)) throw rejected(status);
  if (status === 408) throw new EndpointError('timeout', 'The endpoint responded with 408');
  if (status === 429) throw failed('rate_limited', response);
  if (truncated) throw failed('too_large', response, ' and too much');
}

/** Nothing compressed was requested, so nothing is decompressed. */
function refuseEncoding({ headers }: OutboundResponse): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new MalformedResponseError('has a content encoding');
}

const unusable = (response: OutboundResponse): EndpointError => failed('http', response);

const failed = (failure: EndpointFailure, { status, headers }: OutboundResponse, more = ''): EndpointError =>
  new EndpointError(
    failure,
    `The endpoint responded with ${status}${more}`,
    retryAfterMs(headers['retry-after']),
  );

const NOTHING_HELD: RetainedBody = { handOver: () => undefined, release: () => undefined };
