import { ApiError, ConnectionError, TooManyRequestsError, UnavailableError } from './errors.ts';

/** How often and how soon a failed request is repeated. */
export interface RetryOptions {
  /** How many times a request is sent at most; 1 for no repetition. Default 4. */
  attempts?: number;
  /** The longest pause before the first repetition, in milliseconds; doubled for each further one. Default 250. */
  baseDelayMs?: number;
  /** No pause is longer, in milliseconds. A response that asks for a longer one is not waited for. Default 30 000. */
  maxDelayMs?: number;
}

export const DEFAULT_RETRIES: Required<RetryOptions> = { attempts: 4, baseDelayMs: 250, maxDelayMs: 30_000 };

/**
 * Whether a request may be sent again after an error. One that was refused with 429 was not processed, so any may. After a lost
 * response, 502, 503 or 504 it may have been, so only those whose repetition does no harm may.
 */
export const mayRepeat = (error: unknown, isRepeatable: boolean): boolean =>
  error instanceof TooManyRequestsError ||
  (isRepeatable && (error instanceof ConnectionError || error instanceof UnavailableError || isLate(error)));

/** 408: the request did not arrive in time. */
const isLate = (error: unknown): boolean => error instanceof ApiError && error.status === 408;

/**
 * The pause before the next attempt: random, so that clients do not come back together, and at least what the response asks for.
 *
 * @param attempt the number of the one that failed, from 1
 * @returns milliseconds; undefined where it would be longer than `maxDelayMs`
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
