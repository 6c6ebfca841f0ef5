/** Resolves a host name to all its addresses. @throws Error if there is none */
export type Lookup = (hostname: string) => Promise<string[]>;

/** Injection token of the {@link Lookup}. */
export const OUTBOUND_LOOKUP = Symbol('OUTBOUND_LOOKUP');
