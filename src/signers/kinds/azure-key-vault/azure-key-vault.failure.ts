import { SignerFailure, signerFailure } from '../../signer-failure';
import { reasonOfConnection, reasonOfStatus } from '../../key-services/failure-reason';

/** Classifies an error of Microsoft's packages. The error becomes the cause. */
export function azureFailure(error: unknown): SignerFailure {
  if (error instanceof SignerFailure) return error;
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  const reason = typeof statusCode === 'number' ? reasonOfStatus(statusCode) : reasonOfConnection(error);
  return signerFailure(reason ?? 'invalid_response', error);
}
