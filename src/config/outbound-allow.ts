import { parseUrl } from '../common/net/parse-url';
import { type IpRange, parseIpRange } from '../common/net/ip-address';

/**
 * What a call is made for: JSON-RPC and Horizon endpoints of networks, receivers of webhooks, services that hold keys
 * and the services that issue tokens for them.
 */
export const OUTBOUND_PURPOSES = ['rpc', 'webhook', 'key-service'] as const;

export type OutboundPurpose = (typeof OUTBOUND_PURPOSES)[number];

/** One entry of `OUTBOUND_ALLOW`: it holds for one purpose and one port, or for all of them where it names none. */
export interface OutboundAllowance {
  purpose?: OutboundPurpose;
  port?: number;
  /** A host name in lower case without a dot at its end, or a range of addresses. */
  target: string | IpRange;
}

const RULE =
  `must be a host name, an address or a CIDR range, after an optional purpose (${OUTBOUND_PURPOSES.join(', ')}) and a colon, ` +
  'before an optional colon and port (IPv6 in brackets then)';
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
const WITH_PURPOSE = new RegExp(`^(${OUTBOUND_PURPOSES.join('|')}):(.+)$`);
const WITH_PORT = /^(\[[^\]]+\](?:\/\d{1,3})?|[^:]+):(\d{1,5})$/;

/**
 * Entries with commas between, each `[purpose:]target[:port]`, such as
 * `rpc:10.0.0.0/8:8545, webhook:hooks.internal:443, key-service:[fd00::/8]:8200, node.internal`.
 *
 * @throws Error that names the position of an entry, counted from 1, and the rule
 */
export function parseOutboundAllow(text: string): OutboundAllowance[] {
  return text.split(',').map((entry, index) => {
    const allowance = parseEntry(entry.trim().toLowerCase());
    if (!allowance) throw new Error(`entry ${index + 1} ${RULE}`);
    return allowance;
  });
}

/** The positions, counted from 1, of entries that hold for every purpose or every port. */
export function broadEntries(allow: readonly OutboundAllowance[]): number[] {
  return allow.flatMap(({ purpose, port }, index) =>
    purpose === undefined || port === undefined ? [index + 1] : [],
  );
}

function parseEntry(entry: string): OutboundAllowance | undefined {
  const [, purpose, rest = entry] = WITH_PURPOSE.exec(entry) ?? [];
  // Before a port is looked for: the end of an IPv6 address looks like one.
  const [, host = rest, digits] = (rangeOf(rest) ? null : WITH_PORT.exec(rest)) ?? [];
  const target = rangeOf(host) ?? hostName(host.replace(/\.$/, ''));
  const port = digits === undefined ? undefined : Number(digits);
  if (target === undefined || port === 0 || (port ?? 0) > 65_535) return undefined;
  return {
    ...(purpose !== undefined && { purpose: purpose as OutboundPurpose }),
    ...(port !== undefined && { port }),
    target,
  };
}

/** Brackets may stand around the address of a range or around all of it. */
function rangeOf(text: string): IpRange | undefined {
  return parseIpRange(text) ?? parseIpRange(text.replace(/^\[([^\]/]+)(\/\d{1,3})\]$/, '[$1]$2'));
}

function hostName(text: string): string | undefined {
  // The URL parser takes spellings such as 10.1 or 0x7f.1 for addresses: as names they would never match.
  return HOST_NAME.test(text) && parseUrl(`http://${text}`)?.hostname === text ? text : undefined;
}
