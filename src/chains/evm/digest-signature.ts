import { recoverAddress } from 'ethers';

/** A recoverable secp256k1 signature: `r` and `s` as 64 lower-case hex digits without `0x`, `s` in the lower half. */
export interface DigestSignature {
  r: string;
  s: string;
  v: 27 | 28;
}

/** The address, in lower case, whose key made a signature. @throws if no key can have made it */
export const signerOf = (digest: Uint8Array, { r, s, v }: DigestSignature): string =>
  recoverAddress(digest, { r: `0x${r}`, s: `0x${s}`, v }).toLowerCase();
