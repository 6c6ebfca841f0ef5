import { isIPv4 } from 'node:net';
import { parseIpAddress } from './ip-address';

const MAPPED = 0xffffn;

/**
 * The name under which limits count a client address. An IPv4 address is its own, also where it is mapped into IPv6
 * (RFC 4291, 2.5.5.2); IPv6 counts by the first 64 bits, since a single host commonly has all the rest.
 */
export function clientNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parseIpAddress(address);
  // A proxy may report anything; what it reports is at most as long as a header.
  if (!parsed) return address.slice(0, 64);
  if (parsed.value >> 32n === MAPPED) return dottedQuad(Number(parsed.value & 0xffff_ffffn));
  return `${(parsed.value >> 64n).toString(16)}::/64`;
}

const dottedQuad = (value: number): string => [24, 16, 8, 0].map((bits) => (value >>> bits) & 0xff).join('.');
