import { encryptKeystoreJsonSync } from 'ethers';
import { Secret } from '../../../common/secrets/secret';
import { decryptKeystore } from './keystore';
import { newKeystore } from './new-keystore';

const KEY = 'c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4';
const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';
const PASSPHRASE = 'пароль of the cow';

const KEYSTORE = encryptKeystoreJsonSync({ address: ADDRESS, privateKey: `0x${KEY}` }, PASSPHRASE, {
  scrypt: { N: 2, r: 1, p: 1 },
});

interface Keystore {
  version?: unknown;
  address?: unknown;
  Crypto: Record<string, unknown>;
}

/** The keystore with `change` applied. */
function altered(change: (keystore: Keystore) => void): string {
  const keystore = JSON.parse(KEYSTORE) as Keystore;
  change(keystore);
  return JSON.stringify(keystore);
}

const NOT_A_KEYSTORE = 'the keystore is not an encrypted JSON keystore of version 3';

describe('decryptKeystore', () => {
  it('returns the key as 64 hex digits', async () => {
    expect((await decryptKeystore(KEYSTORE, new Secret(PASSPHRASE))).reveal()).toBe(KEY);
  });

  it('decrypts a keystore without an address', async () => {
    const json = altered((keystore) => delete keystore.address);
    expect((await decryptKeystore(json, new Secret(PASSPHRASE))).reveal()).toBe(KEY);
  });

  it('decrypts a keystore with the light parameters of geth', async () => {
    const scrypt = { N: 4096, r: 8, p: 6 };
    const json = encryptKeystoreJsonSync({ address: ADDRESS, privateKey: `0x${KEY}` }, PASSPHRASE, {
      scrypt,
    });
    expect((await decryptKeystore(json, new Secret(PASSPHRASE))).reveal()).toBe(KEY);
  });

  it.each([
    ['memory', { n: 2 ** 19, r: 8, p: 1 }],
    ['memory for its large blocks', { n: 2, r: 2 ** 20, p: 4 }],
    ['memory for its many blocks', { n: 2, r: 8, p: 2 ** 20 }],
    ['time', { n: 2 ** 18, r: 8, p: 5 }],
  ])('refuses a keystore that needs too much %s', async (_what, parameters) => {
    const json = altered(({ Crypto }) => Object.assign(Crypto.kdfparams as object, parameters));
    await expect(decryptKeystore(json, new Secret(PASSPHRASE))).rejects.toMatchObject({
      detail: expect.stringContaining('the keystore asks for more work than is allowed') as string,
    });
  });

  it.each([
    ['a separate accent', 'cafe\u0301 of the cow'],
    ['full-width digits', '\uff11\uff12\uff13 of the cow'],
  ])('decrypts a keystore whose passphrase has %s, normalized or not', async (_what, passphrase) => {
    const encrypt = (given: string | Uint8Array): string =>
      encryptKeystoreJsonSync({ address: ADDRESS, privateKey: `0x${KEY}` }, given, {
        scrypt: { N: 2, r: 1, p: 1 },
      });
    // As geth does it, and as ethers does it.
    for (const json of [encrypt(Buffer.from(passphrase)), encrypt(passphrase)]) {
      expect((await decryptKeystore(json, new Secret(passphrase))).reveal()).toBe(KEY);
      await expect(decryptKeystore(json, new Secret(`${passphrase}!`))).rejects.toMatchObject({
        detail: 'the passphrase does not open the keystore',
      });
    }
  });

  const damaged = 'the keystore is damaged';
  const wrong = 'the passphrase does not open the keystore';

  it.each([
    ['another passphrase', KEYSTORE, 'cow', wrong],
    ['an empty passphrase', KEYSTORE, '', wrong],
    ['another ciphertext', altered((k) => (k.Crypto.ciphertext = '00'.repeat(32))), PASSPHRASE, wrong],
    ['another address', altered((k) => (k.address = '00'.repeat(20))), PASSPHRASE, damaged],
    ['an unknown key derivation', altered((k) => (k.Crypto.kdf = 'argon2')), PASSPHRASE, damaged],
    ['an unknown cipher', altered((k) => (k.Crypto.cipher = 'rot13')), PASSPHRASE, damaged],
    ['no parameters', altered((k) => delete k.Crypto.kdfparams), PASSPHRASE, damaged],
    ['no crypto section', altered((k) => delete (k as Partial<Keystore>).Crypto), PASSPHRASE, damaged],
    ['another version', altered((k) => (k.version = 1)), PASSPHRASE, NOT_A_KEYSTORE],
    ['no version', altered((k) => delete k.version), PASSPHRASE, NOT_A_KEYSTORE],
    ['a text that is too long', KEYSTORE + ' '.repeat(64 * 1024), PASSPHRASE, NOT_A_KEYSTORE],
    ['a truncated text', KEYSTORE.slice(0, -1), PASSPHRASE, NOT_A_KEYSTORE],
    ['no JSON', 'key', PASSPHRASE, NOT_A_KEYSTORE],
    ['null', 'null', PASSPHRASE, NOT_A_KEYSTORE],
    ['a list', '[]', PASSPHRASE, NOT_A_KEYSTORE],
    ['an empty text', '', PASSPHRASE, NOT_A_KEYSTORE],
  ])('refuses %s', async (_what, json, passphrase, detail) => {
    await expect(decryptKeystore(json, new Secret(passphrase))).rejects.toMatchObject({
      code: 'invalid_request',
      detail,
    });
  });
});

describe('newKeystore', () => {
  const scrypt = { N: 2, r: 1, p: 1 };

  it('refuses a passphrase that other programs may encode differently', async () => {
    for (const passphrase of ['cafe\u0301 of the cow', '\uff11\uff12\uff13 of the cow'])
      await expect(newKeystore(new Secret(passphrase), scrypt)).rejects.toMatchObject({
        faults: [expect.stringContaining('The passphrase has characters that programs encode differently')],
      });
  });

  it('accepts other letters than those of ASCII', async () => {
    const passphrase = new Secret('caf\u00e9 и корова');
    const { address, json } = await newKeystore(passphrase, scrypt);
    expect(JSON.parse(json)).toMatchObject({ address: address.slice(2).toLowerCase() });
    expect((await decryptKeystore(json, passphrase)).reveal()).toMatch(/^[0-9a-f]{64}$/);
  });
});
