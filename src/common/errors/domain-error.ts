import { ERROR_POLICIES, type ErrorCode } from './error-codes';

/**
 * A failure that is reported to the caller. It is independent of HTTP.
 *
 * - `code` determines the status (`error-codes.ts`);
 * - `message` is the short text; it may contain the id of a resource that is not found;
 * - `detail` says what is wrong, in terms that the caller can act on. Neither text ever contains a secret.
 *
 * The constructor throws an Error for a code that does not exist, because the failure could not be reported.
 */
export class DomainError extends Error {
  readonly detail: string;

  constructor(
    readonly code: ErrorCode,
    message: string,
    detail?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    if (!Object.hasOwn(ERROR_POLICIES, code)) throw new Error(`There is no error code ${code}`);
    this.name = 'DomainError';
    this.detail = detail ?? message;
  }
}

/** The caller's input is invalid; `detail` names the field and the rule. */
export function invalidRequest(detail: string): DomainError {
  return new DomainError('invalid_request', 'Bad Request', detail);
}

/** The caller lacks a right; `detail` says which. */
export function forbidden(detail?: string): DomainError {
  return new DomainError('forbidden', 'Forbidden', detail);
}

/** The service cannot do it now; the caller should try again. */
export function unavailable(detail: string): DomainError {
  return new DomainError('unavailable', 'Service Unavailable', detail);
}
