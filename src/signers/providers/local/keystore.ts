import { decryptKeystoreJson, getAddress, isKeystoreJson } from 'ethers';
import { invalidRequest } from '../../../common/errors/domain-error';
import { Secret } from '../../../common/secrets/secret';

const MAX_KEYSTORE_LENGTH = 64 * 1024;

/**
 * Decrypts an encrypted JSON keystore (Web3 Secret Storage, version 3).
 *
 * @returns the private key as 64 hex digits
 * @throws DomainError `invalid_request`
 */
export async function decryptKeystore(json: string, passphrase: Secret): Promise<Secret> {
  if (json.length > MAX_KEYSTORE_LENGTH || !isKeystoreJson(json)) {
    throw invalidRequest('the keystore is not an encrypted JSON keystore of version 3');
  }
  try {
    const { privateKey } = await decryptKeystoreJson(json, passphrase.reveal());
    return new Secret(privateKey.slice(2));
  } catch (error) {
    const wrongPassphrase = error instanceof Error && error.message.startsWith('incorrect password');
    throw invalidRequest(
      wrongPassphrase ? 'the passphrase does not open the keystore' : 'the keystore is damaged',
    );
  }
}

/** The address that a keystore names in the clear; undefined where it names none. */
export function keystoreAddress(json: string): string | undefined {
  if (json.length > MAX_KEYSTORE_LENGTH || !isKeystoreJson(json)) return undefined;
  const { address } = JSON.parse(json) as { address?: unknown };
  return typeof address === 'string' && /^(0x)?[0-9a-f]{40}$/i.test(address)
    ? getAddress(`0x${address.replace(/^0x/i, '').toLowerCase()}`)
    : undefined;
}
