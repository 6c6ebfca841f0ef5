import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { parseUrl } from '../common/net/parse-url';
import { Secret } from '../common/secrets/secret';

/** The destination to which every audit event is sent, in addition to the database. */
export type AuditSinkSettings =
  | { kind: 'file'; path: string }
  | { kind: 'syslog'; host: string; port: number }
  /** The URL may contain credentials. */
  | { kind: 'https'; url: Secret };

export const AUDIT_SINK_RULE = 'must be file:/absolute/path, syslog+tls://host:port or an https URL';
const SYSLOG_PORT = 6514;

/** @throws Error whose text is the rule, without the value */
export function parseAuditSink(text: string): AuditSinkSettings {
  const url = parseUrl(text);
  const sink = url && sinkOf(text, url);
  if (!sink) throw new Error(AUDIT_SINK_RULE);
  return sink;
}

function sinkOf(text: string, url: URL): AuditSinkSettings | undefined {
  switch (url.protocol) {
    case 'file:': {
      const path = text.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
      return isAbsolute(path) && !path.startsWith('//') && !path.endsWith('/')
        ? { kind: 'file', path }
        : undefined;
    }
    case 'syslog+tls:': {
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
      const isPlain =
        url.username === '' && url.password === '' && /^\/?$/.test(url.pathname + url.search + url.hash);
      const isName = isIP(host) !== 0 || /^[A-Za-z0-9._-]{1,253}$/.test(host);
      const port = url.port === '' ? SYSLOG_PORT : Number(url.port);
      return isPlain && isName && port > 0 ? { kind: 'syslog', host, port } : undefined;
    }
    case 'https:':
      return { kind: 'https', url: new Secret(text) };
    default:
      return undefined;
  }
}
