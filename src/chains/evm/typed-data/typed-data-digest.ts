import { keccak256 } from '../keccak256';
import { withoutPrefix } from '../without-prefix';

/**
 * The digest of EIP-712 typed data: keccak256(0x19 ‖ 0x01 ‖ domain separator ‖ struct hash).
 *
 * @param domainSeparator 64 hex digits of either case, with or without `0x`
 * @param structHash likewise
 */
export function typedDataDigest(domainSeparator: string, structHash: string): Uint8Array {
  return keccak256(Buffer.from(`1901${withoutPrefix(domainSeparator)}${withoutPrefix(structHash)}`, 'hex'));
}
