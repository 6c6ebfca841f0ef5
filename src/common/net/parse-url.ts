/**
 * Parses a URL (WHATWG); undefined if the text is not a URL. `URL.canParse` is not used: once Node 20 has optimised it,
 * it rejects texts with letters such as ü.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
