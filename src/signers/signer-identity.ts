import { randomBytes } from 'node:crypto';
import { recoverAddress, SigningKey } from 'ethers';
import { keccak256 } from '../chains/evm/keccak256';
import { signerFailure } from './signer-failure';
import type { DigestSignature } from '../chains/evm/digest-signature';
import type { SignerProvider } from './signer-provider';

/** Whose signatures a signer makes: its EVM address (EIP-55) and its public key (SEC 1, uncompressed, `0x04…`). */
export interface SignerIdentity {
  address: string;
  publicKey: string;
}

/**
 * Has an open provider sign a challenge, and tells from the signature whose it is. So a signer that may read its key
 * but not use it, or uses another one than it says, is found out before anything depends on it.
 *
 * @throws SignerFailure `invalid_answer` when the signature is not of the provider's address
 */
export async function proveSigner(provider: SignerProvider): Promise<SignerIdentity> {
  const address = await provider.address('evm');
  const digest = keccak256(Buffer.concat([Buffer.from('relayer: prove that you sign '), randomBytes(32)]));
  const { r, s, v }: DigestSignature = await provider.signDigest(digest);
  const signature = { r: `0x${r}`, s: `0x${s}`, v };
  if (recoverAddress(digest, signature) !== address) throw signerFailure('invalid_answer');
  return { address, publicKey: SigningKey.recoverPublicKey(digest, signature) };
}
