import { getOrCreate } from '../../common/get-or-create';
import { type IpRange, isInRange, parseIpAddress, parseIpRange } from '../../common/net/ip-address';

const MAPPED = 0xffffn;
const MAPPED_BITS = 96;

/** The parsed ranges, cached for each list. */
const parsed = new WeakMap<readonly string[], IpRange[]>();

/**
 * Whether a client address is in one of the CIDR ranges. IPv4-mapped IPv6 addresses (RFC 4291, 2.5.5.2) count as IPv4.
 */
export function isAddressAllowed(allowed: readonly string[], address: string | undefined): boolean {
  const ranges = getOrCreate(parsed, allowed, () =>
    allowed.map(parseAllowedRange).filter((range) => range !== undefined),
  );
  const client = address === undefined ? undefined : parseIpAddress(address);
  if (!client) return false;
  const { version, base } = withoutMapping({ version: client.version, base: client.value, bits: 128 });
  return ranges.some((range) => isInRange({ version, value: base }, range));
}

/** Parses an address or a CIDR range. A range of IPv4-mapped addresses becomes an IPv4 range. */
export function parseAllowedRange(text: string): IpRange | undefined {
  const range = parseIpRange(text);
  return range && withoutMapping(range);
}

/** Whether every address of the first range is in the second. */
export function isRangeWithin(inner: string, outer: string): boolean {
  const [part, whole] = [parseAllowedRange(inner), parseAllowedRange(outer)];
  return (
    part !== undefined &&
    whole !== undefined &&
    part.bits >= whole.bits &&
    isInRange({ version: part.version, value: part.base }, whole)
  );
}

function withoutMapping(range: IpRange): IpRange {
  if (range.version === 4 || range.bits < MAPPED_BITS || range.base >> 32n !== MAPPED) return range;
  return { version: 4, base: range.base & 0xffff_ffffn, bits: range.bits - MAPPED_BITS };
}
