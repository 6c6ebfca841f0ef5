import {
  ApiError,
  ConnectionError,
  NotFoundError,
  TooManyRequestsError,
  UnavailableError,
  UnexpectedResponseError,
} from './errors.ts';

/** The longest time of a timer, in milliseconds: a longer one ends at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** How often and how soon a failed request is retried. */
export interface RetryOptions {
  /** The maximum number of times that a request is sent; 1 for no retries. Default 4. */
  attempts?: number;
  /**
   * The maximum delay before the first retry, in milliseconds, up to 2^31−1; it doubles for each further one.
   * Default 250.
   */
  baseDelayMs?: number;
  /**
   * The maximum delay in milliseconds, up to 2^31−1. If a response requests a longer one, the request is not retried.
   * Default 30 000.
   */
  maxDelayMs?: number;
}

const DEFAULTS: Required<RetryOptions> = { attempts: 4, baseDelayMs: 250, maxDelayMs: 30_000 };

/**
 * The options with defaults in place of those that are absent or undefined.
 *
 * @throws TypeError for a number that would retry forever, without a delay, or after one that no timer supports
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
    if (!(options[name] >= 0 && options[name] <= MAX_TIMER_MS))
      throw new TypeError(`retries.${name} must be a number of milliseconds up to ${MAX_TIMER_MS}`);
  return options;
}

/** @throws TypeError for a time limit of a request that no timer supports */
export function assertTimeout(timeoutMs: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS))
    throw new TypeError(`timeoutMs must be a number of milliseconds above 0 and up to ${MAX_TIMER_MS}`);
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

/** Waits, at most {@link MAX_TIMER_MS}. @throws the reason of the signal as soon as it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
