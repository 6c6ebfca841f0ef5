import { type Authentication, bearer } from './authentication.ts';
import { readResponse, type Success } from './envelope.ts';
import { ConnectionError, NotFoundError } from './errors.ts';
import {
  assertTimeout,
  delayAfter,
  isMissing,
  isUncertain,
  mayRepeat,
  pause,
  retriesOf,
  type RetryOptions,
} from './retries.ts';

const DEFAULT_TIMEOUT_MS = 35_000;

export interface RelayerClientOptions {
  /** The URL of the service, for example `https://relayer.example.com`. */
  url: string;
  /** The API key. Exactly one of this and {@link authentication} is required. */
  apiKey?: string;
  /** Another form of authentication, for example `signedRequests(…)`. */
  authentication?: Authentication;
  retries?: RetryOptions;
  /**
   * The time limit for one attempt, including the body of the response, in milliseconds, up to 2^31−1. Default 35 000.
   */
  timeoutMs?: number;
  /** Called with the service's remarks about successful requests, for example about a policy that allows a lot. */
  onLog?: (log: { level: string; message: string }) => void | Promise<void>;
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch;
}

/** The options of a call in addition to the parameters of its route. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Overrides the time limit of the client. */
  timeoutMs?: number;
  /** Whether repeating the request is harmless, so that it may be sent again if the response was lost. */
  isRepeatable?: boolean;
}

/** A request in the form that the transport sends. */
export interface TransportRequest extends CallOptions {
  method: string;
  /** The path, including the query. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whether a successful response has no envelope. */
  isBare?: boolean;
  /** Whether the request deletes the resource at its path, so that a retry may not find it. */
  isDeletion?: boolean;
}

/** Sends requests, and retries them if that is safe and useful. */
export class Transport {
  readonly #url: string;
  readonly #origin: string;
  readonly #authentication: Authentication;
  readonly #retries: Required<RetryOptions>;
  readonly #timeoutMs: number;
  readonly #options: RelayerClientOptions;

  constructor(options: RelayerClientOptions) {
    const { url, apiKey, authentication, retries } = options;
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new TypeError('url must begin with https:// or http://');
    const { origin, pathname } = new URL(url);
    this.#origin = origin;
    this.#url = origin + pathname.replace(/\/+$/, '');
    if (this.#url.endsWith('/api/v1'))
      throw new TypeError('url must not end in /api/v1, with which all paths begin');
    if ((apiKey === undefined) === (authentication === undefined))
      throw new TypeError('Give either apiKey or authentication');
    this.#authentication = authentication ?? bearer(apiKey ?? '');
    this.#retries = retriesOf(retries);
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    assertTimeout(this.#timeoutMs);
    this.#options = options;
  }

  /** @throws RelayerClientError, TypeError for a request that cannot be sent, or the reason of the signal */
  async send(request: TransportRequest): Promise<Success> {
    let mayBeDeleted = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        if (mayBeDeleted && isMissing(error)) throw new NotFoundError(error, true);
        mayBeDeleted ||= request.isDeletion === true && isUncertain(error);
        const isLast = attempt >= this.#retries.attempts || !mayRepeat(error, request.isRepeatable ?? false);
        const delayMs = isLast ? undefined : delayAfter(error, attempt, this.#retries);
        if (delayMs === undefined) throw error;
        await pause(delayMs, request.signal);
      }
    }
  }

  async #attempt(request: TransportRequest): Promise<Success> {
    const { method, path, body, headers, signal, timeoutMs = this.#timeoutMs, isBare = false } = request;
    assertTimeout(timeoutMs);
    if (!path.startsWith('/')) throw new TypeError(`The path must begin with /, and is ${path}`);
    const text = body === undefined ? undefined : JSON.stringify(body, bigintAsText);
    const url = this.#url + path;
    // Created outside of the error handling for connections, because an invalid header is not a connection failure.
    const allHeaders = new Headers({
      accept: 'application/json',
      ...(text !== undefined && JSON_BODY),
      ...headers,
    });
    const idempotencyKey = allHeaders.get('idempotency-key') ?? undefined;
    const proof = await this.#authentication.headers({
      ...{ method, url, body: text },
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    for (const [name, value] of Object.entries(proof)) allHeaders.set(name, value);
    // Node accepts only whole numbers.
    const limit = AbortSignal.timeout(Math.ceil(timeoutMs));
    const send = this.#options.fetch ?? fetch;
    let response: Response;
    let content: string;
    try {
      response = await send(url, {
        method,
        headers: allHeaders,
        ...(text !== undefined && { body: text }),
        // A redirect would send the key to wherever it leads.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      content = await response.text();
    } catch (cause) {
      signal?.throwIfAborted();
      const why = limit.aborted ? 'No response in time' : 'No response';
      const code = limit.aborted ? undefined : codeOf(cause);
      const from = `${this.#origin}${code === undefined ? '' : ` (${code})`}`;
      throw new ConnectionError(`${why} from ${from}: ${method} ${path.split('?')[0] ?? ''}`, { cause });
    }
    const success = readResponse(response, content, isBare);
    for (const log of success.logs) void this.#log(log);
    return success;
  }

  /**
   * A callback that throws must not make a request look failed that was carried out, because a caller may send it
   * again; nor must one that rejects end the process.
   */
  async #log(log: { level: string; message: string }): Promise<void> {
    try {
      await this.#options.onLog?.(log);
    } catch (error) {
      console.error('onLog failed', error);
    }
  }
}

/** The code of the error that `fetch` wraps, such as `ECONNREFUSED`; undefined in browsers, which hide it. */
function codeOf(error: unknown): string | undefined {
  for (let next = error, depth = 0; next instanceof Error && depth < 4; next = next.cause, depth += 1)
    if ('code' in next && typeof next.code === 'string') return next.code;
  return undefined;
}

const JSON_BODY = { 'content-type': 'application/json' };

const bigintAsText = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;
