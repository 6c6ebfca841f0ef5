import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { algorithmOf, readPublicKey } from './public-key';

const ed25519 = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = ({ publicKey }: typeof ed25519): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();

describe('readPublicKey', () => {
  it.each([
    ['ed25519', ed25519],
    ['ecdsa-p256-sha256', p256],
  ])('reads %s from both PEM and JWK', (algorithm, pair) => {
    const pem = pemOf(pair);
    expect(readPublicKey(pem)).toBe(pem);
    expect(readPublicKey(`\n${pem.replaceAll('\n', '\r\n')}\n`)).toBe(pem);
    expect(readPublicKey(pair.publicKey.export({ format: 'jwk' }))).toBe(pem);
    expect(readPublicKey({ ...pair.publicKey.export({ format: 'jwk' }), use: 'sig', kid: 'x' })).toBe(pem);
    expect(algorithmOf(createPublicKey(pem))).toBe(algorithm);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a list', []],
    ['an empty object', {}],
    ['a private key as PEM', ed25519.privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['a private key as JWK', ed25519.privateKey.export({ format: 'jwk' })],
    ['two keys', pemOf(ed25519) + pemOf(ed25519)],
    ['half a key', pemOf(ed25519).slice(0, 60)],
    ['a P-384 key', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }))],
    ['a secp256k1 key', pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))],
    ['an X25519 key', pemOf(generateKeyPairSync('x25519'))],
    ['an RSA key', pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))],
    ['a point that is not on the curve', { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    ['a symmetric key', { kty: 'oct', k: 'AAAA' }],
    ['members of other types', { kty: 'OKP', crv: 'Ed25519', x: 7 }],
    ['1 MB', { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(1_000_000) }],
    ['1 MB of text', `-----BEGIN PUBLIC KEY-----${'A'.repeat(1_000_000)}-----END PUBLIC KEY-----`],
  ])('refuses %s', (_what, value) => {
    expect(readPublicKey(value)).toBeUndefined();
  });

  const ORDER_8 = [
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ];

  it.each<[string, string]>([
    ['1, order 1', `01${'00'.repeat(31)}`],
    ['-1, order 2', `ec${'ff'.repeat(30)}7f`],
    ['0, order 4', '00'.repeat(32)],
    ['order 8', ORDER_8[0]!],
    ['order 8', ORDER_8[1]!],
    ['0 as p', `ed${'ff'.repeat(30)}7f`],
    ['1 as p + 1', `ee${'ff'.repeat(30)}7f`],
    ['3 as p + 3', `f0${'ff'.repeat(30)}7f`],
  ])('refuses the Ed25519 point with y = %s, with either sign', (_what, encoded) => {
    for (const sign of [0, 0x80]) {
      const point = Buffer.from(encoded, 'hex');
      point[31] = point[31]! | sign;
      const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
      expect(readPublicKey(jwk)).toBeUndefined();
      const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
      expect(readPublicKey(pem)).toBeUndefined();
    }
  });

  it('reads the key of a test vector of RFC 8032, 7.1', () => {
    const key = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    const x = Buffer.from(key, 'hex').toString('base64url');
    expect(readPublicKey({ kty: 'OKP', crv: 'Ed25519', x })).toContain('BEGIN PUBLIC KEY');
  });
});
