/** Resolves a host name to all its addresses. @throws Error if it has none */
export type Lookup = (hostname: string) => Promise<string[]>;

/** Injection token of the {@link Lookup}. */
export const OUTBOUND_LOOKUP = Symbol('OUTBOUND_LOOKUP');
