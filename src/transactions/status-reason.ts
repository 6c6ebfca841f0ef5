/** As long as its column. */
const MAX_CHARACTERS = 1024;

/**
 * A reason to be stored and sent in events. Contracts choose parts of it, and what is cut may end in half a character: databases
 * refuse JSON that has one.
 */
export const statusReason = (text: string): string => text.slice(0, MAX_CHARACTERS).toWellFormed();
