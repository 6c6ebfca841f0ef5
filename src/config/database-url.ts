import { parseUrl } from '../common/net/parse-url';
import { Secret } from '../common/secrets/secret';
import type { DatabaseSettings } from './app-config';

const RULE =
  'must be sqlite:<file> or mysql://user:password@host:3306/name (mariadb:// too, ?tls=true for TLS)';

const TLS_CHOICES = new Set(['', '?tls=false', '?tls=true']);

/**
 * Parses `sqlite:<file>`, or `mysql://` and `mariadb://` with user, host and database name. Reserved characters in URLs
 * must be percent-encoded.
 *
 * @throws Error whose text is the rule
 */
export function parseDatabaseUrl(text: string): DatabaseSettings {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length);
    if (file === '') throw new Error(RULE);
    return { type: 'sqlite', file };
  }
  const url = parseUrl(text);
  if (!url) throw new Error(RULE);
  const type = url.protocol.slice(0, -1);
  const name = decode(url.pathname.slice(1));
  if ((type !== 'mysql' && type !== 'mariadb') || url.hostname === '' || url.username === '' || name === '') {
    throw new Error(RULE);
  }
  if (!TLS_CHOICES.has(url.search) || url.hash !== '') throw new Error(RULE);
  return {
    type,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decode(url.username),
    password: new Secret(decode(url.password)),
    name,
    tls: url.search === '?tls=true',
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(RULE);
  }
}
