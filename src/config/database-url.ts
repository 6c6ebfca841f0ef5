import { isIP } from 'node:net';
import { parseUrl } from '../common/net/parse-url';
import { Secret } from '../common/secrets/secret';
import type { DatabaseSettings, DatabaseTls } from './app-config';

const RULE =
  'must be sqlite:<file> or mysql://user:password@host:3306/name (mariadb:// too, ?tls=true or ?tls=verify-ca for TLS)';
const FILE_RULE = 'must name a file after sqlite:, such as sqlite:data/relayer.sqlite, not a folder or a URI';
/** A folder, or a URI of SQLite. */
const NO_FILE = /(^|\/)\.{0,2}$|^file:/;
/** mysql2 compares certificates with names only. */
const NAME_RULE =
  'must have the name of the host, with which its certificate is compared, or ?tls=verify-ca instead of ?tls=true';

const TLS_CHOICES: ReadonlyMap<string, DatabaseTls> = new Map([
  ['', 'off'],
  ['?tls=false', 'off'],
  ['?tls=true', 'verify-host'],
  ['?tls=verify-ca', 'verify-ca'],
]);

/**
 * Parses `sqlite:<file>`, or `mysql://` and `mariadb://` with user, host and database name. Reserved characters in URLs
 * must be percent-encoded.
 *
 * @throws Error whose text is the rule
 */
export function parseDatabaseUrl(text: string): DatabaseSettings {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).trim();
    if (file === '') throw new Error(RULE);
    if (NO_FILE.test(file)) throw new Error(FILE_RULE);
    return { type: 'sqlite', file };
  }
  const url = parseUrl(text);
  if (!url) throw new Error(RULE);
  const type = url.protocol.slice(0, -1);
  const name = decode(url.pathname.slice(1));
  const isComplete = url.hostname !== '' && url.username !== '' && url.port !== '0' && isDatabaseName(name);
  if ((type !== 'mysql' && type !== 'mariadb') || !isComplete) throw new Error(RULE);
  const tls = TLS_CHOICES.get(url.search);
  if (tls === undefined || url.hash !== '') throw new Error(RULE);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (tls === 'verify-host' && isIP(host) !== 0) throw new Error(NAME_RULE);
  return {
    type,
    host,
    port: url.port === '' ? 3306 : Number(url.port),
    user: decode(url.username),
    password: new Secret(decode(url.password)),
    name,
    tls,
  };
}

/** Names that servers accept, except those with characters that are more likely a mistake in the URL. */
const isDatabaseName = (name: string): boolean => name !== '' && name === name.trim() && !name.includes('/');

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(RULE);
  }
}
