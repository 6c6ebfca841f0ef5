import type { SignerFailureReason } from '../../signer-failure';
import { reasonOfConnection, reasonOfStatus } from '../../key-services/failure-reason';

/** What an error of Google's client means: it carries the HTTP status where there was an answer. */
export function reasonOfGoogleError(error: unknown): SignerFailureReason {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return (
    reasonOfConnection(error) ??
    (typeof status === 'number' ? reasonOfStatus(status) : undefined) ??
    'invalid_answer'
  );
}
