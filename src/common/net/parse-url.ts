/**
 * A URL (WHATWG); undefined for a text that is none. Not by `URL.canParse`: once it is compiled, that of Node 20 refuses
 * texts with letters such as ü.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
