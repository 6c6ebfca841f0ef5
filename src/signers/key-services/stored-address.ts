import { signerFailure } from '../signer-failure';

/**
 * Opening a signer checks the addresses of its settings again, since the rules may have changed since they were stored.
 *
 * @param refusal why the address may not be called; follows the name of its field
 * @throws SignerFailure `address_refused`
 */
export function assertStoredAddress(field: string, refusal: string | undefined): void {
  if (refusal !== undefined)
    throw signerFailure('address_refused', new Error(`The stored ${field} ${refusal}`));
}
