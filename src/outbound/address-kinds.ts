import {
  type IpAddress,
  type IpRange,
  isInRange,
  parseIpAddress,
  parseIpRange,
} from '../common/net/ip-address';

/**
 * How the guard classifies an address: `never` is always refused (cloud metadata, unspecified, multicast, broadcast,
 * reserved); `private` is refused unless the settings allow it.
 */
export type AddressKind = 'public' | 'private' | 'never';

/** Services that issue the machine's credentials to any process on it. */
const METADATA = ranges(
  // AWS, Google Cloud, Azure, Oracle Cloud, DigitalOcean, OpenStack and most others; AWS ECS and EKS
  ['169.254.169.254', '169.254.170.2', '169.254.170.23'],
  // Tencent Cloud, Scaleway, Alibaba Cloud, Oracle Cloud (before 2020), Azure's host agent
  ['169.254.0.23', '169.254.42.42', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  // AWS, AWS EKS, Google Cloud, Oracle Cloud, Scaleway, OpenStack
  ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fe80::a9fe:a9fe'],
);

/** The host names of these services. */
const METADATA_NAMES = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'api.metadata.cloud.ibm.com',
  'instance-data',
  'instance-data.ec2.internal',
  'rancher-metadata',
]);

/** Ranges from IANA's special-purpose registries (RFC 6890) that are not valid destinations. */
const NEVER = ranges(
  // this network, protocol assignments, 6to4 relays, multicast, reserved and broadcast
  ['0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // discard, segment routing, protocol assignments (Teredo is handled as a carrier), multicast
  ['100::/64', '5f00::/16', '2001::/23', 'ff00::/8'],
);

const PRIVATE = ranges(
  // RFC 1918, loopback, link-local, carrier-grade NAT
  ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10'],
  // benchmarking, documentation
  ['198.18.0.0/15', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  // loopback, unique local, link-local, site-local, local NAT64
  ['::1', 'fc00::/7', 'fe80::/10', 'fec0::/10', '64:ff9b:1::/48'],
  // benchmarking, documentation
  ['2001:2::/48', '2001:db8::/32', '3fff::/20'],
);

/** IPv6 ranges that embed an IPv4 address, and the number of bits after it. */
const CARRIERS: readonly { range: IpRange; shift: bigint; inverted?: true }[] = [
  { range: range('::ffff:0:0/96'), shift: 0n }, // mapped, RFC 4291
  { range: range('::ffff:0:0:0/96'), shift: 0n }, // translated, RFC 7915
  { range: range('::/96'), shift: 0n }, // compatible, RFC 4291
  { range: range('64:ff9b::/96'), shift: 0n }, // NAT64, RFC 6052
  { range: range('64:ff9b:1::/48'), shift: 0n }, // local NAT64, RFC 8215, with a prefix of 96 bits
  { range: range('2002::/16'), shift: 80n }, // 6to4, RFC 3056
  { range: range('2001::/32'), shift: 0n, inverted: true }, // Teredo, RFC 4380
];

const LOOPBACK_V6 = range('::1');
const UNSPECIFIED_V6 = range('::');
const GLOBAL_UNICAST = range('2000::/3');

/** Whether an address is one at which a cloud issues credentials to its machines. */
export function isMetadataAddress(address: IpAddress): boolean {
  return METADATA.some((metadata) => isInRange(address, metadata));
}

/** Whether an address, and any IPv4 address embedded in it, belongs to the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  return address !== undefined && withEmbedded(address).every((form) => kindOf(form) === 'public');
}

export function isMetadataName(name: string): boolean {
  return METADATA_NAMES.has(name);
}

/** The address itself and, if it embeds an IPv4 address, that address too. */
export function withEmbedded(address: IpAddress): IpAddress[] {
  const carrier = carrierOf(address);
  if (!carrier) return [address];
  const inside = (address.value >> carrier.shift) & 0xffffffffn;
  return [address, { version: 4, value: carrier.inverted ? inside ^ 0xffffffffn : inside }];
}

/** The kind of the address itself, regardless of an embedded IPv4 address. */
export function kindOf(address: IpAddress): AddressKind {
  const isIn = (range: IpRange): boolean => isInRange(address, range);
  if (METADATA.some(isIn)) return 'never';
  if (PRIVATE.some(isIn)) return 'private';
  if (carrierOf(address)) return 'public';
  if (NEVER.some(isIn)) return 'never';
  return address.version === 6 && !isIn(GLOBAL_UNICAST) ? 'never' : 'public';
}

function carrierOf(address: IpAddress) {
  if (isInRange(address, LOOPBACK_V6) || isInRange(address, UNSPECIFIED_V6)) return undefined;
  return CARRIERS.find(({ range }) => isInRange(address, range));
}

function ranges(...lists: string[][]): IpRange[] {
  return lists.flat().map(range);
}

function range(text: string): IpRange {
  const parsed = parseIpRange(text);
  if (!parsed) throw new Error(`${text} is not an address range`);
  return parsed;
}
