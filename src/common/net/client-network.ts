import { isIPv4 } from 'node:net';
import { parseIpAddress } from './ip-address';

const MAPPED = 0xffffn;

/**
 * The key under which limits count a client address: an IPv4 address itself, even if it is mapped into IPv6 (RFC 4291,
 * 2.5.5.2), but only the first 64 bits of an IPv6 address, because a single host commonly has the whole /64.
 */
export function clientNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parseIpAddress(address);
  // A proxy may report any text, up to the length of a header.
  if (!parsed) return address.slice(0, 64);
  if (parsed.value >> 32n === MAPPED) return dottedQuad(Number(parsed.value & 0xffff_ffffn));
  return `${(parsed.value >> 64n).toString(16)}::/64`;
}

const dottedQuad = (value: number): string => [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff).join('.');
