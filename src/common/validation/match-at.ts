/** What a sticky pattern matches at a position of a text; undefined if it does not match there. */
export function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}
