import { parseUrl } from '../common/net/parse-url';
import { type IpRange, parseIpRange } from '../common/net/ip-address';

/** What may be called although it is private. */
export interface OutboundAllowance {
  /** Lower case, without a dot at the end. */
  hosts: string[];
  ranges: IpRange[];
}

const RULE = 'must be a list of host names, addresses and CIDR ranges with commas between';
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

/** Such as `10.0.0.0/8, [fd00::]/8, node.internal`. @throws Error whose text is the rule */
export function parseOutboundAllow(text: string): OutboundAllowance {
  const allowance: OutboundAllowance = { hosts: [], ranges: [] };
  for (const item of text.split(',').map((part) => part.trim().toLowerCase())) {
    const range = parseIpRange(item);
    if (range) allowance.ranges.push(range);
    else allowance.hosts.push(hostName(item.replace(/\.$/, '')));
  }
  return allowance;
}

function hostName(item: string): string {
  // The URL parser takes spellings such as 10.1 or 0x7f.1 for addresses: as names they would never match.
  const isName =
    HOST_NAME.test(item) && parseUrl(`http://${item}`) !== undefined && hostnameOf(item) === item;
  if (!isName) throw new Error(RULE);
  return item;
}

const hostnameOf = (item: string): string => new URL(`http://${item}`).hostname;
