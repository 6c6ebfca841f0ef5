/** Order of secp256k1 (SEC 2, 2.4.1). */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The greatest canonical `s` of a signature (EIP-2). */
export const MAX_S = CURVE_ORDER / 2n;
