import { signerFailure } from '../signer-failure';

/**
 * Checks the address in a signer's stored settings again when the signer is opened, because the rules may have changed
 * since it was stored.
 *
 * @param refusal why the address may not be called; the error text puts it after the name of the field
 * @throws SignerFailure `address_refused`
 */
export function assertStoredAddress(field: string, refusal: string | undefined): void {
  if (refusal !== undefined)
    throw signerFailure('address_refused', new Error(`The stored ${field} ${refusal}`));
}
