import { computeAddress, concat, SigningKey } from 'ethers';
import { type SignerFailure, signerFailure } from '../../signer-failure';
import type { AzureSdk } from './azure-key-vault.sdk';

export type KeyVaultKey = Awaited<ReturnType<InstanceType<AzureSdk['KeyClient']>['getKey']>>;

const KEY_TYPES = new Set<string | undefined>(['EC', 'EC-HSM']);
/** Early versions of the service used the name `SECP256K1`. */
const CURVES = new Set<string | undefined>(['P-256K', 'SECP256K1']);
const COORDINATE_BYTES = 32;

/** The properties of a key version that signing requires. */
export interface AzureKey {
  version: string;
  /** EIP-55 */
  address: string;
  /** The service refuses to sign outside of this period. */
  notBefore: Date | undefined;
  expiresOn: Date | undefined;
}

/**
 * Checks a key of the service: a JSON Web Key (RFC 7517) with kty EC or EC-HSM on the curve secp256k1, enabled and
 * allowed to sign.
 *
 * @param wanted the requested version, if any
 * @throws SignerFailure `refused` for a key that may not sign, `invalid_response` for one that cannot
 */
export function azureKey(
  { key, keyOperations, properties }: KeyVaultKey,
  wanted: string | undefined,
): AzureKey {
  const { version, notBefore, expiresOn } = properties;
  if (typeof version !== 'string' || !/^[0-9a-zA-Z]{1,127}$/.test(version)) throw invalid('names no version');
  if (wanted !== undefined && version !== wanted) throw invalid('is not of the version that is configured');
  const address = addressOf(key);
  if (properties.enabled === false) throw refused('is disabled');
  if (keyOperations && !keyOperations.includes('sign')) throw refused('does not permit the operation sign');
  return { version, address, notBefore, expiresOn };
}

/** @throws SignerFailure `refused` outside of the validity period of the key */
export function checkValidity({ notBefore, expiresOn }: AzureKey, now: Date): void {
  if (notBefore && now < notBefore) throw refused(`cannot be used before ${notBefore.toISOString()}`);
  if (expiresOn && now >= expiresOn) throw refused(`expired at ${expiresOn.toISOString()}`);
}

function addressOf(key: KeyVaultKey['key']): string {
  const { kty, crv, x, y } = key ?? {};
  if (!KEY_TYPES.has(kty) || !CURVES.has(crv)) throw invalid('is not an EC key on the curve P-256K');
  if (x?.length !== COORDINATE_BYTES || y?.length !== COORDINATE_BYTES) {
    throw invalid(`has coordinates of other than ${COORDINATE_BYTES} bytes`);
  }
  try {
    // Rejects points that are not on the curve.
    return computeAddress(SigningKey.computePublicKey(concat(['0x04', x, y])));
  } catch {
    throw invalid('is not a point of the curve');
  }
}

const invalid = (what: string): SignerFailure =>
  signerFailure('invalid_response', new Error(`The key in Azure Key Vault ${what}`));
const refused = (what: string): SignerFailure =>
  signerFailure('refused', new Error(`The key in Azure Key Vault ${what}`));
