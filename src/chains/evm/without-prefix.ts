/** Hex digits without their `0x`, if they have it. */
export const withoutPrefix = (hex: string): string => (hex.startsWith('0x') ? hex.slice(2) : hex);
