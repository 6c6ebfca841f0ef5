/** The length of the column. */
const MAX_CHARACTERS = 1024;

/**
 * Prepares a reason for storage and events. Contracts choose parts of the text, and truncating it may split a surrogate
 * pair: databases refuse JSON with an unpaired surrogate.
 */
export const statusReason = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed();
