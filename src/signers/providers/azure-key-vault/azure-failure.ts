import { SignerFailure, signerFailure } from '../../signer-failure';
import { failureOfStatus } from '../remote/failure-of-status';

const MAX_CAUSE_LENGTH = 1000;

/** What the SDK's errors (`RestError`, `AbortError`, `AuthenticationError`) carry. */
interface SdkError {
  name?: unknown;
  message?: unknown;
  statusCode?: unknown;
  code?: unknown;
}

/** Sorts an error of Microsoft's packages; the error itself becomes the cause. */
export function azureFailure(error: unknown): SignerFailure {
  if (error instanceof SignerFailure) return error;
  const { name, statusCode, code } = (error ?? {}) as SdkError;
  const cause = shortened(error);
  if (typeof statusCode === 'number') return failureOfStatus(statusCode, cause);
  if (name === 'AbortError') return signerFailure('timeout', cause);
  const connection = name === 'RestError' && typeof code === 'string' && !code.startsWith('HPE_');
  return signerFailure(connection ? 'unreachable' : 'invalid_answer', cause);
}

/** The SDK quotes answers in its texts; a log line is no place for a page of HTML. */
function shortened(error: unknown): unknown {
  const { name, message } = (error ?? {}) as SdkError;
  if (typeof message !== 'string' || message.length <= MAX_CAUSE_LENGTH) return error;
  return new Error(`${String(name)}: ${message.slice(0, MAX_CAUSE_LENGTH)}…`);
}
