/** The prime of the field of Ed25519, RFC 8032, 5.1. */
const P = 2n ** 255n - 19n;
const SIGN_BIT = 1n << 255n;

/**
 * Whether the encoded point of an Ed25519 public key is in canonical form (RFC 8032, 5.1.3) and not of small order: for
 * a point of small order, anyone can compute signatures that are valid for many messages.
 */
export function isSafePoint(encoded: Buffer): boolean {
  const y = BigInt(`0x${Buffer.from(encoded).reverse().toString('hex')}`) % SIGN_BIT;
  return y < P && !hasSmallOrder(y);
}

/**
 * The curve is -x² + y² = 1 + dx²y² with d = -121665/121666. Its points of the orders 1, 2 and 4 have the y coordinates
 * 1, -1 and 0. Doubling one of order 8 yields y = 0, so that x² = -y² and dy⁴ + 2y² - 1 = 0.
 */
function hasSmallOrder(y: bigint): boolean {
  const square = (y * y) % P;
  const doubled = -121665n * square * square + 121666n * (2n * square - 1n);
  return square === 0n || square === 1n || doubled % P === 0n;
}
