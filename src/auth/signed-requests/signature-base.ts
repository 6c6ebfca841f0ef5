import type { IncomingHttpHeaders } from 'node:http';

/** The parts of a request that a signature can cover. */
export interface SignedMessage {
  method: string;
  /** Scheme and authority as the client sees them, for example `https://relayer.example.com`. */
  origin: string;
  /** Path and query exactly as sent. */
  target: string;
  headers: IncomingHttpHeaders;
}

/** Derived components (RFC 9421, 2.2) by name. */
const DERIVED: Readonly<Record<string, (message: SignedMessage) => string>> = {
  '@method': ({ method }) => method,
  '@target-uri': ({ origin, target }) => origin + target,
  '@authority': ({ origin }) => origin.replace(/^[a-z]+:\/\//, ''),
  '@scheme': ({ origin }) => origin.replace(/:.*$/, ''),
  '@request-target': ({ target }) => target,
  '@path': ({ target }) => target.replace(/\?.*$/, ''),
  '@query': ({ target }) => (target.includes('?') ? target.slice(target.indexOf('?')) : '?'),
};
const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * The signature base: the text that is signed (RFC 9421, 2.5).
 *
 * @param components lower-case names of fields, and names of derived components
 * @param serialized the parameters of the signature, as in `Signature-Input`
 * @returns undefined if the message lacks a component, or one is not supported
 */
export function signatureBase(
  message: SignedMessage,
  components: readonly string[],
  serialized: string,
): string | undefined {
  const lines: string[] = [];
  for (const name of components) {
    const value = valueOf(message, name);
    if (value === undefined) return undefined;
    lines.push(`"${name}": ${value}`);
  }
  return [...lines, `"@signature-params": ${serialized}`].join('\n');
}

function valueOf(message: SignedMessage, name: string): string | undefined {
  if (Object.hasOwn(DERIVED, name)) return DERIVED[name]?.(message);
  if (!FIELD_NAME.test(name) || !Object.hasOwn(message.headers, name)) return undefined;
  const value = message.headers[name];
  return typeof value === 'string' ? value.trim() : value?.map((one) => one.trim()).join(', ');
}
