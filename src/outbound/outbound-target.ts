import { parseUrl } from '../common/net/parse-url';
import type { Destination, DestinationPurpose } from './destination';
import { OutboundError } from './outbound-error';

/** A URL taken apart for a request. */
export interface OutboundTarget {
  origin: string;
  path: string;
  authorization: string | undefined;
  destination: Destination;
}

/** @throws OutboundError `refused` */
export function parseTarget(text: string, purpose: DestinationPurpose): OutboundTarget {
  const url = parseUrl(text);
  if (!url) throw new OutboundError('refused', 'The URL cannot be parsed');
  const { origin, pathname, search, username, password } = url;
  const destination = destinationOf(url, purpose);
  if (!destination) throw new OutboundError('refused', 'The URL is not an http or https URL');
  return {
    origin,
    path: pathname + search,
    authorization: username === '' && password === '' ? undefined : basic(username, password),
    destination,
  };
}

/** Where a URL leads to; undefined where it is neither http nor https. */
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

/** RFC 7617. */
function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
