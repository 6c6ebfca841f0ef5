import { keccak256 as ethersKeccak256 } from 'ethers';

type Keccak256 = (data: Uint8Array) => Uint8Array;

/** The implementation that ethers uses by default. */
const REFERENCE = ethersKeccak256._;

let implementation = REFERENCE;

/**
 * Ethereum's keccak256, which is Keccak before FIPS 202 changed the padding. Returns 32 bytes: ethers returns a hex
 * string, and building it digit by digit takes as long as the hash itself.
 */
export const keccak256: Keccak256 = (data) => implementation(data);

/** {@link keccak256} as hex with `0x`. */
export const keccak256Hex = (data: Uint8Array): string => `0x${Buffer.from(keccak256(data)).toString('hex')}`;

/**
 * Replaces the implementation of keccak256 in this process, including the one ethers uses. The default restores the
 * reference implementation.
 */
export function computeKeccak256By(another: Keccak256 = REFERENCE): void {
  ethersKeccak256.register(another);
  implementation = another;
}
