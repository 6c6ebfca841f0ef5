/** The length of the column. */
const MAX_CHARACTERS = 1024;

/**
 * Prepares a reason for storage and events. Contracts choose parts of the text, and truncating it may split a surrogate
 * pair: databases refuse JSON with an unpaired surrogate.
 */
export const statusReason = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed();

const NO_FUNDS = '; its no-op waits for funds';

/**
 * The reason of a transaction that was abandoned, and whether the no-op that ends it waits for funds. A reason that leaves
 * no room for that stays as it is.
 */
export function abandonedReason(reason: string | null, waitsForFunds: boolean): string | null {
  if (reason === null) return null;
  const own = reason.endsWith(NO_FUNDS) ? reason.slice(0, -NO_FUNDS.length) : reason;
  return waitsForFunds && own.length + NO_FUNDS.length <= MAX_CHARACTERS ? own + NO_FUNDS : own;
}
