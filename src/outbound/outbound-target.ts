import { parseUrl } from '../common/net/parse-url';
import type { Destination, DestinationPurpose } from './destination';
import { OutboundError } from './outbound-error';

/** The parts of a URL that a request needs. */
export interface OutboundTarget {
  origin: string;
  path: string;
  authorization: string | undefined;
  destination: Destination;
}

/** @throws OutboundError `refused` */
export function parseTarget(text: string, purpose: DestinationPurpose, isCustom = false): OutboundTarget {
  const url = parseUrl(text);
  if (!url) throw new OutboundError('refused', 'The URL cannot be parsed');
  const { origin, pathname, search, username, password } = url;
  const destination = destinationOf(url, purpose);
  if (!destination) throw new OutboundError('refused', 'The URL is not an http or https URL');
  return {
    origin,
    path: pathname + search,
    authorization: username === '' && password === '' ? undefined : basic(username, password),
    destination: isCustom ? { ...destination, isCustom } : destination,
  };
}

/** The destination of a URL; undefined if it is neither http nor https. */
export function destinationOf(
  { protocol, hostname, port }: URL,
  purpose: DestinationPurpose,
): Destination | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const secure = protocol === 'https:';
  return {
    purpose,
    secure,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
  };
}

/** Basic authorization (RFC 7617). */
function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
