const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Whether JSON, in UTF-8, nests deeper than this. What is not JSON may be told either way. */
export function nestsDeeperThan(max: number, json: Buffer): boolean {
  // Each level is opened and closed.
  if (json.length <= 2 * max) return false;
  let depth = 0;
  let inString = false;
  let escaped = false;
  for (const byte of json) {
    if (escaped) escaped = false;
    else if (inString && byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) inString = !inString;
    else if (!inString && (byte === OPEN_LIST || byte === OPEN_OBJECT)) depth += 1;
    else if (!inString && (byte === CLOSE_LIST || byte === CLOSE_OBJECT)) depth -= 1;
    if (depth > max) return true;
  }
  return false;
}
