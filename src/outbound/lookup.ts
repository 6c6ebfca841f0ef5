import type { DestinationPurpose } from './destination';

/** Resolves a host name to all its addresses, for a purpose. @throws Error if it has none */
export type Lookup = (hostname: string, purpose: DestinationPurpose) => Promise<string[]>;

/** Injection token of the {@link Lookup}. */
export const OUTBOUND_LOOKUP = Symbol('OUTBOUND_LOOKUP');

/** Addresses of a name that are checked and used, because its name servers decide how many it has. @limit Outgoing calls */
export const MAX_ADDRESSES = 64;
