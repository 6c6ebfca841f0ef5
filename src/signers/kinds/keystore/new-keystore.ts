import { encryptKeystoreJson, Wallet } from 'ethers';
import type { Secret } from '../../../common/secrets/secret';

/** The scrypt parameters of Web3 Secret Storage, version 3, that ethers uses by default. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 };

/** A new key in encrypted form. */
export interface NewKeystore {
  /** EIP-55. */
  address: string;
  /** The text of the keystore file. */
  json: string;
}

/**
 * Generates a random key and encrypts it.
 *
 * @param scrypt weaker parameters, for tests
 */
export async function newKeystore(passphrase: Secret, scrypt = SCRYPT): Promise<NewKeystore> {
  const { address, privateKey } = Wallet.createRandom();
  const json = await encryptKeystoreJson({ address, privateKey }, passphrase.reveal(), { scrypt });
  return { address, json };
}
