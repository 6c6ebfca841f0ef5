/**
 * Assembles the bytes in a listing: the hex before `;` in each line, ignoring blanks.
 *
 * @returns 0x hex
 */
export function assembled(listing: string): string {
  const lines = listing.split('\n').map((line) => line.split(';', 1)[0]!.replaceAll(/\s/g, ''));
  const hex = lines.join('');
  if (!/^([0-9a-f]{2})+$/.test(hex)) throw new Error(`This is no listing: ${hex}`);
  return `0x${hex}`;
}

/**
 * The data of a transaction that creates a contract: ten bytes that return the code after them, followed by that code.
 */
export function creationOf(runtime: string): string {
  const length = (runtime.length / 2 - 1).toString(16).padStart(4, '0');
  const header = assembled(`
    61${length} 80   ; PUSH2 length, DUP1
    600a 3d 39       ; PUSH1 10, RETURNDATASIZE (0), CODECOPY
    3d f3            ; RETURNDATASIZE (0), RETURN`);
  return header + runtime.slice(2);
}
