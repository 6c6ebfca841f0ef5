import { computeAddress, hexlify, toBigInt } from 'ethers';
import { signerFailure } from '../signer-failure';

const INTEGER = 0x02;
const SEQUENCE = 0x30;
/** A coordinate of secp256k1 is 32 bytes; a leading zero keeps an INTEGER with the high bit set positive. */
const MAX_INTEGER_LENGTH = 33;
const MAX_SIGNATURE_LENGTH = 2 + 2 * (2 + MAX_INTEGER_LENGTH);

/**
 * SubjectPublicKeyInfo (RFC 5480 §2) of an uncompressed secp256k1 point, up to and including the octet for
 * `uncompressed` (SEC 1 §2.3.3): SEQUENCE { SEQUENCE { id-ecPublicKey 1.2.840.10045.2.1, secp256k1 1.3.132.0.10 }, BIT
 * STRING }. DER encodes it in only one way, so any other bytes are another kind of key or not DER.
 */
const PUBLIC_KEY_HEADER = Buffer.from('3056301006072a8648ce3d020106052b8104000a03420004', 'hex');
const POINT_LENGTH = 64;

/** The two numbers of an ECDSA signature. */
export interface EcdsaSignature {
  r: bigint;
  s: bigint;
}

/**
 * Parses an ECDSA-Sig-Value, SEQUENCE { r INTEGER, s INTEGER } (RFC 3279 §2.2.3), strictly in DER: minimal lengths,
 * minimal positive integers, no trailing bytes. `recoverableSignature` checks that the integers are below the curve
 * order.
 *
 * @throws SignerFailure `invalid_response`
 */
export function parseEcdsaSignature(der: Uint8Array): EcdsaSignature {
  // Up to this size a DER length is one byte; the long form would not be minimal.
  if (der.length > MAX_SIGNATURE_LENGTH || der[0] !== SEQUENCE || der[1] !== der.length - 2) {
    throw malformed('the signature is not an ECDSA-Sig-Value in DER');
  }
  const r = positiveInteger(der, 2);
  const s = positiveInteger(der, r.end);
  if (s.end !== der.length) throw malformed('the signature has more than two numbers');
  return { r: r.value, s: s.value };
}

/**
 * The EIP-55 address of a secp256k1 key, from its SubjectPublicKeyInfo in DER.
 *
 * @throws SignerFailure `invalid_response` for any other kind of key, and for a point that is not on the curve
 */
export function addressOfPublicKey(der: Uint8Array): string {
  const header = der.subarray(0, PUBLIC_KEY_HEADER.length);
  if (der.length !== PUBLIC_KEY_HEADER.length + POINT_LENGTH || !PUBLIC_KEY_HEADER.equals(header)) {
    throw malformed('the public key is not an uncompressed secp256k1 key in DER');
  }
  try {
    // Rejects coordinates beyond the field and points off the curve.
    return computeAddress(hexlify(der.subarray(PUBLIC_KEY_HEADER.length - 1)));
  } catch {
    throw malformed('the public key is not a point of secp256k1');
  }
}

function positiveInteger(der: Uint8Array, start: number): { value: bigint; end: number } {
  const length = der[start + 1] ?? 0;
  const bytes = der.subarray(start + 2, start + 2 + length);
  const [first = 0, second = 0] = bytes;
  const padded = first === 0 && second < 0x80;
  if (
    der[start] !== INTEGER ||
    length === 0 ||
    length > MAX_INTEGER_LENGTH ||
    bytes.length !== length ||
    first >= 0x80 ||
    padded
  ) {
    throw malformed('the signature holds something else than a positive number in DER');
  }
  return { value: toBigInt(bytes), end: start + 2 + length };
}

function malformed(what: string) {
  return signerFailure('invalid_response', new Error(what));
}
