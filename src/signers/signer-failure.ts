import { DomainError } from '../common/errors/domain-error';

const TEXTS = {
  timeout: 'the key service of the signer did not respond in time',
  unreachable: 'the key service of the signer cannot be reached',
  refused: 'the key service of the signer refused the request',
  no_credentials: 'the service has no credentials for the key service of the signer',
  throttled: 'the key service of the signer is over its rate limit',
  invalid_response: 'the key service of the signer returned an invalid response',
  address_refused: 'the address of the key service of the signer is not allowed',
  busy: 'too many requests are waiting for the key service of the signer',
} as const;

/** The reasons for which signers fail: a closed set, because they are also a label of the metrics. */
export type SignerFailureReason = keyof typeof TEXTS;

export const SIGNER_FAILURE_REASONS = Object.keys(TEXTS) as SignerFailureReason[];

/** A key service failed. The caller sees the reason; the cause is only logged. */
export class SignerFailure extends DomainError {
  constructor(
    readonly reason: SignerFailureReason,
    options?: ErrorOptions,
  ) {
    super('signer_unavailable', 'Service Unavailable', TEXTS[reason], options);
    this.name = 'SignerFailure';
  }
}

const MAX_CAUSE_LENGTH = 1000;

/** @param cause for the log, shortened */
export function signerFailure(reason: SignerFailureReason, cause?: unknown): SignerFailure {
  return new SignerFailure(reason, { cause: shortened(cause) });
}

/**
 * Errors of vendors' clients may contain the whole response: HTML pages or, after a blank line, the request with its
 * session token.
 */
function shortened(cause: unknown): unknown {
  const { name, message } = (cause ?? {}) as { name?: unknown; message?: unknown };
  if (typeof message !== 'string') return cause;
  const [start = ''] = message.split(/\r?\n\r?\n/, 1);
  const text = start.slice(0, MAX_CAUSE_LENGTH);
  return text === message ? cause : new Error(`${String(name)}: ${text}…`);
}
