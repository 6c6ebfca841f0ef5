import { randomBytes } from 'node:crypto';
import { hexlify } from 'ethers';
import { keccak256 } from '../chains/evm/keccak256';
import { checkedSignature } from './checked-signature';
import type { Secp256k1Engine } from './secp256k1/secp256k1-engine';
import type { SignerProvider } from './signer-provider';

/** A signer's EVM address (EIP-55) and public key (SEC 1, uncompressed, `0x04…`). */
export interface SignerIdentity {
  address: string;
  publicKey: string;
}

/**
 * Has an open provider sign a challenge, and derives its identity from the signature. This detects a signer that may
 * read its key but not use it, or that uses a different key from the one it reports, before anything depends on it.
 *
 * @throws SignerFailure `invalid_response` if the signature does not recover to the provider's address
 */
export async function proveSigner(
  provider: SignerProvider,
  engine: Secp256k1Engine,
): Promise<SignerIdentity> {
  const address = await provider.address('evm');
  const digest = keccak256(Buffer.concat([Buffer.from('relayer: prove that you sign '), randomBytes(32)]));
  const signature = checkedSignature(engine, digest, await provider.signDigest(digest), address);
  return { address, publicKey: hexlify(engine.recover(digest, signature)) };
}
