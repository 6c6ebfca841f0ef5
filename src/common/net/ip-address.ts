import { isIP, isIPv4, isIPv6 } from 'node:net';

/** An IPv4 or IPv6 address as a number, for comparisons. */
export interface IpAddress {
  version: 4 | 6;
  value: bigint;
}

/** All addresses that share the first `bits` bits of `base`. */
export interface IpRange {
  version: 4 | 6;
  base: bigint;
  bits: number;
}

const SIZE = { 4: 32, 6: 128 } as const;

/** Parses an address in its usual notation (RFC 5952, dotted quad). A zone (`%eth0`) is dropped. */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { version: 4, value: fold(text.split('.'), 10, 8n) };
  const [address = ''] = text.split('%');
  return isIPv6(text) && isIP(address) === 6 ? { version: 6, value: ipv6Value(address) } : undefined;
}

/** Parses `address/bits` or a single address. An IPv6 address may be in brackets. */
export function parseIpRange(text: string): IpRange | undefined {
  const match = /^(?:\[([^\]%]+)\]|([^[\]%/]+))(?:\/(\d{1,3}))?$/.exec(text);
  const address = parseIpAddress(match?.[1] ?? match?.[2] ?? '');
  if (!address || (match?.[1] !== undefined && address.version !== 6)) return undefined;
  const size = SIZE[address.version];
  const bits = match?.[3] === undefined ? size : Number(match[3]);
  return bits > size ? undefined : { version: address.version, base: address.value, bits };
}

export function isInRange({ version, value }: IpAddress, range: IpRange): boolean {
  const ignored = BigInt(SIZE[range.version] - range.bits);
  return version === range.version && value >> ignored === range.base >> ignored;
}

export function isSameAddress(one: IpAddress, other: IpAddress): boolean {
  return one.version === other.version && one.value === other.value;
}

function ipv6Value(address: string): bigint {
  // The URL parser converts a dotted suffix to hexadecimal groups.
  const spelled = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = spelled.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return fold([...left, ...zeros, ...right], 16, 16n);
}

function fold(parts: string[], radix: number, bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(parseInt(part, radix)), 0n);
}
