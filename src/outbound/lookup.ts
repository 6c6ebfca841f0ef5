import type { Destination } from './destination';

/** Resolves the host name of a destination to all its addresses. @throws Error if it has none */
export type Lookup = (hostname: string, to: Pick<Destination, 'purpose' | 'isCustom'>) => Promise<string[]>;

/** Injection token of the {@link Lookup}. */
export const OUTBOUND_LOOKUP = Symbol('OUTBOUND_LOOKUP');

/** Addresses of a name that are checked and used, because its name servers decide how many it has. @limit Outgoing calls */
export const MAX_ADDRESSES = 64;
