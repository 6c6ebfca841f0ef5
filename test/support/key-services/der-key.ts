import { randomInt } from 'node:crypto';
import { SigningKey, toBeArray } from 'ethers';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const PUBLIC_KEY_HEADER = '3056301006072a8648ce3d020106052b8104000a034200';

/** The SubjectPublicKeyInfo of a key, in the form that key services return. */
export function publicKeyInfo(key: SigningKey): Buffer {
  return Buffer.from(PUBLIC_KEY_HEADER + key.publicKey.slice(2), 'hex');
}

/** The ECDSA-Sig-Value of a digest. As with key services, every other s is in the upper half. */
export function derSignature(key: SigningKey, digest: Uint8Array): Buffer {
  const { r, s } = key.sign(digest);
  const value = BigInt(s);
  return encodeSignature(BigInt(r), randomInt(2) === 0 ? value : ORDER - value);
}

export function encodeSignature(r: bigint, s: bigint): Buffer {
  const body = Buffer.concat([integer(r), integer(s)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

function integer(value: bigint): Buffer {
  const bytes = toBeArray(value);
  const content = (bytes[0] ?? 0) >= 0x80 ? Buffer.from([0, ...bytes]) : Buffer.from(bytes);
  return Buffer.concat([Buffer.from([0x02, content.length]), content]);
}
