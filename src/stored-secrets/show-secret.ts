import { parseUrl } from '../common/net/parse-url';
import type { Secret } from '../common/secrets/secret';
import { isObject } from '../common/validation/json-object';

/**
 * The part of a secret that an operator may see to judge it: the origins of URLs, because path and query may contain
 * tokens, and nothing of other secrets.
 */
export function showSecret(secret: Secret): string {
  const text = secret.reveal();
  const origins = urlsOf(text).map((url) => originOf(url));
  return origins.length === 0 || origins.includes(undefined)
    ? '(encrypted)'
    : `${origins.join(', ')} (encrypted)`;
}

/** The URLs in a text that is either a URL, or the JSON of a list of objects with a URL each. */
function urlsOf(text: string): unknown[] {
  if (!text.startsWith('[')) return [text];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((item: unknown) => (isObject(item) ? item.url : item)) : [];
  } catch {
    return [];
  }
}

function originOf(url: unknown): string | undefined {
  const parsed = typeof url === 'string' && /^https?:\/\//.test(url) ? parseUrl(url) : undefined;
  return parsed && `${parsed.origin}/…`;
}
