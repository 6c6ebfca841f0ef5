/** A recoverable secp256k1 signature: `r` and `s` as 64 lower-case hex digits without `0x`, `s` in the lower half. */
export interface DigestSignature {
  r: string;
  s: string;
  v: 27 | 28;
}
