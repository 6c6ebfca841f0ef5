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
});
