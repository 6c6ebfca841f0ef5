import { type SignerFailure, signerFailure } from '../../signer-failure';

/**
 * What an HTTP status of a key service means to the caller. A service that breaks (5xx) counts as one that is not
 * there; a redirect or any other status that nobody asked for is no valid answer.
 *
 * @param cause for the log: says which request was answered, never what it carried
 */
export function failureOfStatus(status: number, cause?: unknown): SignerFailure {
  if (status === 429) return signerFailure('throttled', cause);
  if (status >= 500) return signerFailure('unreachable', cause);
  return signerFailure(status >= 400 ? 'refused' : 'invalid_answer', cause);
}
