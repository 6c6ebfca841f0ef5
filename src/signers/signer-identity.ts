import { randomBytes } from 'node:crypto';
import { recoverAddress, SigningKey } from 'ethers';
import { keccak256 } from '../chains/evm/keccak256';
import { signerFailure } from './signer-failure';
import type { DigestSignature } from '../chains/evm/digest-signature';
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
export async function proveSigner(provider: SignerProvider): Promise<SignerIdentity> {
  const address = await provider.address('evm');
  const digest = keccak256(Buffer.concat([Buffer.from('relayer: prove that you sign '), randomBytes(32)]));
  const { r, s, v }: DigestSignature = await provider.signDigest(digest);
  const signature = { r: `0x${r}`, s: `0x${s}`, v };
  if (recoverAddress(digest, signature) !== address) throw signerFailure('invalid_response');
  return { address, publicKey: SigningKey.recoverPublicKey(digest, signature) };
}
