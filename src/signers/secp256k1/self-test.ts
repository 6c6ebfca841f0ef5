import type { DigestSignature } from '../../chains/evm/digest-signature';
import type { Secp256k1Engine } from './secp256k1-engine';

interface Vector extends DigestSignature {
  privateKey: string;
  digest: string;
}

/** The account "cow" from the EIP-712 example, whose private key is keccak256("cow"). */
const PRIVATE_KEY = 'c85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4';
const PUBLIC_KEY =
  '040947751e3022ecf3016be03ec77ab0ce3c2662b4843898cb068d74f698ccc8ad75aa17564ae80a20bb044ee7a6d903e8e8df624b089c95d66a0570f051e5a05b';

const VECTORS: Vector[] = [
  // From the EIP-712 example.
  {
    privateKey: PRIVATE_KEY,
    digest: 'be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
    r: '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d',
    s: '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562',
    v: 28,
  },
  // RFC 6979 on secp256k1 with the greatest possible key; the digest is SHA-256 of "Satoshi Nakamoto".
  {
    privateKey: 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140',
    digest: 'a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e',
    r: 'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0',
    s: '6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
    v: 27,
  },
];

/** Checks an engine against known results. @throws Error if any differs */
export function selfTest(engine: Secp256k1Engine): void {
  if (Buffer.from(engine.publicKey(bytes(PRIVATE_KEY))).toString('hex') !== PUBLIC_KEY) {
    throw new Error('it computes a wrong public key');
  }
  for (const { privateKey, digest, ...expected } of VECTORS) {
    const { r, s, v } = engine.signRecoverable(bytes(digest), bytes(privateKey));
    if (r !== expected.r || s !== expected.s || v !== expected.v) {
      throw new Error('it computes a wrong signature');
    }
    if (!Buffer.from(engine.recover(bytes(digest), expected)).equals(engine.publicKey(bytes(privateKey)))) {
      throw new Error('it recovers a wrong public key');
    }
  }
}

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
