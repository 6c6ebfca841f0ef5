/**
 * Parses a URL (WHATWG); undefined if the text is not one. `URL.canParse` is not used: once optimised, that of Node 20
 * rejects texts with letters such as ü.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
