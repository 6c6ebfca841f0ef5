import { createPrivateKey, createPublicKey } from 'node:crypto';
import { encodeBase58 } from 'ethers';
import { encodeStrKey, STRKEY_ACCOUNT } from '../../../chains/stellar/strkey';

/** PKCS #8 header of a raw Ed25519 seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The public key of a 32-byte seed (RFC 8032 §5.1.5). */
export function ed25519PublicKey(seed: Uint8Array): Buffer {
  const key = Buffer.concat([PKCS8_ED25519, seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  key.fill(0);
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url');
}

/** The Solana address: base58 of the public key, with a leading `1` for each leading zero byte. */
export function solanaAddress(seed: Uint8Array): string {
  const publicKey = ed25519PublicKey(seed);
  const zeros = publicKey.findIndex((byte) => byte !== 0);
  return '1'.repeat(Math.max(zeros, 0)) + encodeBase58(publicKey).replace(/^1+/, '');
}

/** The Stellar address: the public key as StrKey `G…`. */
export function stellarAddress(seed: Uint8Array): string {
  return encodeStrKey(STRKEY_ACCOUNT, ed25519PublicKey(seed));
}
