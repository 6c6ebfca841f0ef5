import { isObject } from '../../../common/validation/json-object';
import type { SignerFailureReason } from '../../signer-failure';
import { reasonOfConnection, reasonOfStatus } from '../../key-services/failure-reason';

/** The reason behind an error of Google's client, which contains the HTTP status if there was a response. */
export function reasonOfGoogleError(error: unknown): SignerFailureReason {
  const status = isObject(error) ? error.status : undefined;
  return (
    reasonOfConnection(error) ??
    (typeof status === 'number' ? reasonOfStatus(status) : undefined) ??
    'invalid_response'
  );
}
