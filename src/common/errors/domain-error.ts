import type { ErrorCode } from './error-codes';

/**
 * A failure that the caller is meant to hear about. It names what went wrong and knows nothing of HTTP.
 *
 * - `code` decides the status (`error-codes.ts`);
 * - `message` is the short text that is the same for every case of the code;
 * - `detail` says what is wrong in words the caller can act on. Neither ever holds a secret.
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
    this.name = 'DomainError';
    this.detail = detail ?? message;
  }
}

/** What the caller sent is wrong; `detail` names the field and the rule. */
export function invalidRequest(detail: string): DomainError {
  return new DomainError('invalid_request', 'Bad Request', detail);
}
