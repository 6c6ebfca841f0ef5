/** The position after the closing quote of the string that starts at `start`; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether the string that ends at `position` is a field name. */
export function isBeforeColon(text: string, position: number): boolean {
  let next = position;
  while (isWhiteSpace(text.charCodeAt(next))) next += 1;
  return text.charAt(next) === ':';
}

/** Blank, tab, line feed or carriage return. */
const isWhiteSpace = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
