import {
  ApiError,
  ConnectionError,
  NotFoundError,
  TooManyRequestsError,
  UnavailableError,
  UnexpectedResponseError,
} from './errors.ts';

/** How often and how soon a failed request is retried. */
export interface RetryOptions {
  /** The maximum number of times that a request is sent; 1 for no retries. Default 4. */
  attempts?: number;
  /** The maximum delay before the first retry, in milliseconds; it doubles for each further one. Default 250. */
  baseDelayMs?: number;
  /**
   * The maximum delay in milliseconds. If a response requests a longer one, the request is not retried. Default 30 000.
   */
  maxDelayMs?: number;
}

const DEFAULTS: Required<RetryOptions> = { attempts: 4, baseDelayMs: 250, maxDelayMs: 30_000 };

/**
 * The options with defaults in place of those that are absent or undefined.
 *
 * @throws TypeError for a number that would retry forever or without a delay
 */
export function retriesOf({ attempts, baseDelayMs, maxDelayMs }: RetryOptions = {}): Required<RetryOptions> {
  const options = {
    attempts: attempts ?? DEFAULTS.attempts,
    baseDelayMs: baseDelayMs ?? DEFAULTS.baseDelayMs,
    maxDelayMs: maxDelayMs ?? DEFAULTS.maxDelayMs,
  };
  if (!Number.isInteger(options.attempts) || options.attempts < 1)
    throw new TypeError('retries.attempts must be a positive integer');
  for (const name of ['baseDelayMs', 'maxDelayMs'] as const)
    if (!(options[name] >= 0)) throw new TypeError(`retries.${name} must be a number of milliseconds`);
  return options;
}

/**
 * Whether a request may be sent again after an error. A request that was refused with 429 was not processed, so any may
 * be repeated. After a lost response, 502, 503, 504, or another failure of a proxy, it may have been processed, so only
 * harmless repetitions are allowed.
 */
export const mayRepeat = (error: unknown, isRepeatable: boolean): boolean =>
  error instanceof TooManyRequestsError || (isRepeatable && (isUncertain(error) || isLate(error)));

/** Whether the request may have been processed, although its attempt failed. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof UnavailableError ||
  (error instanceof UnexpectedResponseError && (error.status >= 500 || error.status === 408));

/**
 * Whether the service did not find the resource. The texts of routes that do not exist, and of proxies that do not
 * reach the service, are different.
 */
export const isMissing = (error: unknown): error is NotFoundError =>
  error instanceof NotFoundError && error.summary.endsWith(' not found');

/** 408: the request did not arrive in time. */
const isLate = (error: unknown): boolean => error instanceof ApiError && error.status === 408;

/**
 * The delay before the next attempt: random, so that clients do not retry at the same time, and at least as long as the
 * response requests.
 *
 * @param attempt the number of the failed attempt, from 1
 * @returns milliseconds; undefined if the delay would exceed `maxDelayMs`
 */
export function delayAfter(
  error: unknown,
  attempt: number,
  { baseDelayMs, maxDelayMs }: Required<RetryOptions>,
): number | undefined {
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  if (asked > maxDelayMs) return undefined;
  const random = Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return Math.min(maxDelayMs, asked + random);
}

/** Waits. @throws the reason of the signal as soon as it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
