import { parseUrl } from '../common/net/parse-url';
import { type IpRange, parseIpRange } from '../common/net/ip-address';

/**
 * The purposes of calls: JSON-RPC and Horizon endpoints of networks; webhook receivers; key services and the services
 * that issue their tokens; the audit sink.
 */
const OUTBOUND_PURPOSES = ['rpc', 'webhook', 'key-service', 'audit'] as const;

export type OutboundPurpose = (typeof OUTBOUND_PURPOSES)[number];

/** An entry in `OUTBOUND_ALLOW`. It applies to one purpose and port, or to all of them if it names none. */
export interface OutboundAllowance {
  purpose?: OutboundPurpose;
  port?: number;
  /** A lower-case host name without a trailing dot, or an address range. */
  target: string | IpRange;
}

const RULE =
  `must be a host name, an address or a CIDR range, after an optional purpose (${OUTBOUND_PURPOSES.join(', ')}) and a colon, ` +
  'before an optional colon and port (IPv6 in brackets then)';
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/;
const WITH_PURPOSE = new RegExp(`^(${OUTBOUND_PURPOSES.join('|')}):(.+)$`);
const WITH_PORT = /^(\[[^\]]+\](?:\/\d{1,3})?|[^:]+):(\d{1,5})$/;

/**
 * Parses comma-separated entries of the form `[purpose:]target[:port]`, for example `rpc:10.0.0.0/8:8545,
 * webhook:hooks.internal:443, key-service:[fd00::/8]:8200, node.internal`.
 *
 * @throws Error with the position of the entry, counted from 1, and the rule
 */
export function parseOutboundAllow(text: string): OutboundAllowance[] {
  return text.split(',').map((entry, index) => {
    const allowance = parseEntry(entry.trim().toLowerCase());
    if (!allowance) throw new Error(`entry ${index + 1} ${RULE}`);
    return allowance;
  });
}

/** The positions, counted from 1, of entries that apply to every purpose or every port. */
export function broadEntries(allow: readonly OutboundAllowance[]): number[] {
  return allow.flatMap(({ purpose, port }, index) =>
    purpose === undefined || port === undefined ? [index + 1] : [],
  );
}

function parseEntry(entry: string): OutboundAllowance | undefined {
  const [, purpose, rest = entry] = WITH_PURPOSE.exec(entry) ?? [];
  // Checked before a port is looked for, because the end of an IPv6 address looks like one.
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

/** Brackets may enclose either the address of a range or the whole range. */
function rangeOf(text: string): IpRange | undefined {
  return parseIpRange(text) ?? parseIpRange(text.replace(/^\[([^\]/]+)(\/\d{1,3})\]$/, '[$1]$2'));
}

function hostName(text: string): string | undefined {
  // The URL parser converts texts such as 10.1 or 0x7f.1 to addresses; as names they would never match.
  return HOST_NAME.test(text) && parseUrl(`http://${text}`)?.hostname === text ? text : undefined;
}
