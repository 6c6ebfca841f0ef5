import { signerFailure } from '../signer-failure';

/**
 * Stored settings may have been edited since they were checked, and the rules may have changed: whoever opens a signer
 * checks the addresses of its settings again.
 *
 * @param refusal why the address may not be called, in words that follow the name of its field
 * @throws SignerFailure `address_refused`
 */
export function assertStoredAddress(field: string, refusal: string | undefined): void {
  if (refusal !== undefined)
    throw signerFailure('address_refused', new Error(`The stored ${field} ${refusal}`));
}
