import { encryptKeystoreJson, Wallet } from 'ethers';
import type { Secret } from '../../../common/secrets/secret';
import { ConfigurationError } from '../../../config/configuration-error';

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
 * @throws ConfigurationError if the passphrase is not in NFKC form: geth could not open the keystore with it
 */
export async function newKeystore(passphrase: Secret, scrypt = SCRYPT): Promise<NewKeystore> {
  const text = passphrase.reveal();
  if (text !== text.normalize('NFKC'))
    throw new ConfigurationError([
      'The passphrase has characters that programs encode differently, such as separate accents, ligatures or full-width letters: use others (Unicode NFKC)',
    ]);
  const { address, privateKey } = Wallet.createRandom();
  const json = await encryptKeystoreJson({ address, privateKey }, text, { scrypt });
  return { address, json };
}
