import { SignerFailure, signerFailure } from '../../signer-failure';
import { reasonOfConnection, reasonOfStatus } from '../../key-services/failure-reason';

const MAX_CAUSE_LENGTH = 1000;

/** What the SDK's errors (`RestError`, `AbortError`, `AuthenticationError`) carry. */
interface SdkError {
  name?: unknown;
  message?: unknown;
  statusCode?: unknown;
}

/** Classifies an error of Microsoft's packages, which becomes the cause. */
export function azureFailure(error: unknown): SignerFailure {
  if (error instanceof SignerFailure) return error;
  const { statusCode } = (error ?? {}) as SdkError;
  const reason = typeof statusCode === 'number' ? reasonOfStatus(statusCode) : reasonOfConnection(error);
  return signerFailure(reason ?? 'invalid_response', shortened(error));
}

/** The SDK quotes responses in its messages; a page of HTML does not belong in a log line. */
function shortened(error: unknown): unknown {
  const { name, message } = (error ?? {}) as SdkError;
  if (typeof message !== 'string' || message.length <= MAX_CAUSE_LENGTH) return error;
  return new Error(`${String(name)}: ${message.slice(0, MAX_CAUSE_LENGTH)}…`);
}
