import { keccak256 as ethersKeccak256 } from 'ethers';

type Keccak256 = (data: Uint8Array) => Uint8Array;

/** The implementation that ethers uses by default. */
const REFERENCE = ethersKeccak256._;

let implementation = REFERENCE;

/**
 * keccak256 of Ethereum, which is Keccak before FIPS 202 changed the padding: 32 bytes. The one of ethers returns a hex string,
 * digit by digit, which takes as long as the hash.
 */
export const keccak256: Keccak256 = (data) => implementation(data);

/** {@link keccak256} as hex with `0x`. */
export const keccak256Hex = (data: Uint8Array): string => `0x${Buffer.from(keccak256(data)).toString('hex')}`;

/** Has this process compute keccak256 in another way, ethers too; by default in its reference implementation. */
export function computeKeccak256By(another: Keccak256 = REFERENCE): void {
  ethersKeccak256.register(another);
  implementation = another;
}
