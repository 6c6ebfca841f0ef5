import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { computeAddress, SigningKey } from 'ethers';
import { derSignature, encodeSignature, publicKeyInfo } from '../../../test/support/key-services/der-key';
import { SignerFailure } from '../signer-failure';
import { addressOfPublicKey, parseEcdsaSignature } from './der';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const FIELD = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

function reasonOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof SignerFailure ? error.reason : error;
  }
}

describe('parseEcdsaSignature', () => {
  it('parses the shortest and the longest signature', () => {
    expect(parseEcdsaSignature(hex('30 06 0201 01 0201 7f'))).toEqual({ r: 1n, s: 127n });
    expect(parseEcdsaSignature(encodeSignature(ORDER - 1n, ORDER - 2n))).toEqual({
      r: ORDER - 1n,
      s: ORDER - 2n,
    });
  });

  it('parses integers that need a leading zero', () => {
    expect(parseEcdsaSignature(hex('30 08 0202 0080 0202 00ff'))).toEqual({ r: 128n, s: 255n });
  });

  it('parses signatures created by OpenSSL', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    for (let i = 0; i < 50; i += 1) {
      const der = createSign('sha256').update(String(i)).sign(privateKey);
      const { r, s } = parseEcdsaSignature(der);
      expect(encodeSignature(r, s)).toEqual(der);
    }
  });

  it.each([
    ['nothing', ''],
    ['a tag other than SEQUENCE', '31 06 0201 01 0201 01'],
    ['a constructed tag of another class', 'b0 06 0201 01 0201 01'],
    ['a tag other than INTEGER for r', '30 06 0301 01 0201 01'],
    ['a tag other than INTEGER for s', '30 06 0201 01 0a01 01'],
    ['a long form of the outer length', '30 81 06 0201 01 0201 01'],
    ['a long form of the length of r', '30 07 028101 01 0201 01'],
    ['a long form of the length of s', '30 07 0201 01 028101 01'],
    ['an indefinite length', '30 80 0201 01 0201 01 0000'],
    ['an outer length that is too short', '30 05 0201 01 0201 01'],
    ['an outer length that is too long', '30 07 0201 01 0201 01'],
    ['a negative r', '30 06 0201 80 0201 01'],
    ['a negative s', '30 06 0201 01 0201 ff'],
    ['a zero r', '30 06 0201 00 0201 01'],
    ['a zero s', '30 06 0201 01 0201 00'],
    ['an r padded with zero', '30 07 0202 0001 0201 01'],
    ['an s padded with zero', '30 07 0201 01 0202 007f'],
    ['an s padded with two zeros', '30 08 0201 01 0203 000080'],
    ['an empty r', '30 05 0200 0201 01'],
    ['an empty s', '30 05 0201 01 0200'],
    ['one number', '30 03 0201 01'],
    ['three numbers', '30 09 0201 01 0201 01 0201 01'],
    ['an r that reaches into s', '30 06 0204 01 0201 01'],
    ['an s that reaches beyond the end', '30 06 0201 01 0202 01'],
    ['a byte after the signature', '30 06 0201 01 0201 01 00'],
    ['a number of 34 bytes', `30 27 0222 01${'00'.repeat(33)} 0201 01`],
    ['two numbers of 33 bytes and more', `30 47 0221 00${'ff'.repeat(32)} 0222 00${'ff'.repeat(33)}`],
    ['r and s without DER', 'ab'.repeat(64)],
  ])('refuses %s', (_case, der) => {
    expect(reasonOf(() => parseEcdsaSignature(hex(der)))).toBe('invalid_response');
  });

  it('refuses a signature truncated at any byte', () => {
    const der = derSignature(new SigningKey(`0x${'4c'.repeat(32)}`), Buffer.alloc(32, 7));
    for (let length = 0; length < der.length; length += 1) {
      expect(reasonOf(() => parseEcdsaSignature(der.subarray(0, length)))).toBe('invalid_response');
    }
  });
});

describe('addressOfPublicKey', () => {
  const key = new SigningKey(`0x${'0'.repeat(63)}1`);
  const info = publicKeyInfo(key);
  const spki = (publicKey: KeyObject) => publicKey.export({ type: 'spki', format: 'der' });

  it('returns the address of private key 1', () => {
    expect(addressOfPublicKey(info)).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf');
  });

  it('parses a public key exported by OpenSSL', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const d = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url').toString('hex');
    expect(addressOfPublicKey(spki(publicKey))).toBe(computeAddress(`0x${d.padStart(64, '0')}`));
  });

  it.each([
    ['P-256', spki(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)],
    ['P-384', spki(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey)],
    ['RSA', spki(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)],
    ['Ed25519', spki(generateKeyPairSync('ed25519').publicKey)],
  ])('refuses a key of %s', (_case, der) => {
    expect(reasonOf(() => addressOfPublicKey(der))).toBe('invalid_response');
  });

  const point = info.subarray(-64).toString('hex');
  const [x, y] = [point.slice(0, 64), point.slice(64)];
  const header = '3056 3010 06072a8648ce3d0201 06052b8104000a 0342 00 04';
  it.each([
    ['nothing', ''],
    ['a bare point', `04 ${point}`],
    ['a compressed point', `3036 3010 06072a8648ce3d0201 06052b8104000a 0322 00 02 ${x}`],
    ['a hybrid point', `3056 3010 06072a8648ce3d0201 06052b8104000a 0342 00 06 ${point}`],
    ['unused bits in the BIT STRING', `3056 3010 06072a8648ce3d0201 06052b8104000a 0342 01 04 ${point}`],
    ['an OCTET STRING', `3056 3010 06072a8648ce3d0201 06052b8104000a 0442 00 04 ${point}`],
    ['a tag other than SEQUENCE', `3156 3010 06072a8648ce3d0201 06052b8104000a 0342 00 04 ${point}`],
    ['a long form of the outer length', `308156 3010 06072a8648ce3d0201 06052b8104000a 0342 00 04 ${point}`],
    ['an inner length that is wrong', `3056 300f 06072a8648ce3d0201 06052b8104000a 0342 00 04 ${point}`],
    ['another algorithm', `3056 3010 06072a8648ce3d0202 06052b8104000a 0342 00 04 ${point}`],
    ['the curve secp224k1', `3056 3010 06072a8648ce3d0201 06052b81040020 0342 00 04 ${point}`],
    ['parameters that are NULL', `3051 300b 06072a8648ce3d0201 0500 0342 00 04 ${point}`],
    ['a point off the curve', `${header} ${x} ${(BigInt(`0x${y}`) + 1n).toString(16)}`],
    ['the point (0, 0)', `${header} ${'00'.repeat(64)}`],
    ['an x that is the field itself', `${header} ${FIELD.toString(16)} ${y}`],
    ['a y beyond the field', `${header} ${x} ${'ff'.repeat(32)}`],
    ['a byte after the key', `${header} ${point} 00`],
  ])('refuses %s', (_case, der) => {
    expect(reasonOf(() => addressOfPublicKey(hex(der)))).toBe('invalid_response');
  });

  it('refuses a key truncated at any byte', () => {
    for (let length = 0; length < info.length; length += 1) {
      expect(reasonOf(() => addressOfPublicKey(info.subarray(0, length)))).toBe('invalid_response');
    }
  });

  it('refuses a key with any bit of its header flipped', () => {
    for (let bit = 0; bit < 24 * 8; bit += 1) {
      const changed = Buffer.from(info);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(reasonOf(() => addressOfPublicKey(changed))).toBe('invalid_response');
    }
  });
});
