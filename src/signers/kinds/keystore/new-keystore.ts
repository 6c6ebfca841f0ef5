import { encryptKeystoreJson, Wallet } from 'ethers';
import type { Secret } from '../../../common/secrets/secret';

/** Web3 Secret Storage, version 3, with scrypt as ethers uses it by default. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 };

/** A new key, encrypted. */
export interface NewKeystore {
  /** EIP-55. */
  address: string;
  /** The text of the keystore file. */
  json: string;
}

/**
 * Draws a random key and encrypts it.
 *
 * @param scrypt weaker parameters, for tests
 */
export async function newKeystore(passphrase: Secret, scrypt = SCRYPT): Promise<NewKeystore> {
  const { address, privateKey } = Wallet.createRandom();
  const json = await encryptKeystoreJson({ address, privateKey }, passphrase.reveal(), { scrypt });
  return { address, json };
}
