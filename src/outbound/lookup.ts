import { lookup } from 'node:dns/promises';

/** Resolves a host name to all its addresses. @throws Error where there is none */
export type Lookup = (hostname: string) => Promise<string[]>;

/** Injection token of the {@link Lookup}. */
export const OUTBOUND_LOOKUP = Symbol('OUTBOUND_LOOKUP');

/**
 * The system's resolver, hosts file included. Callers that ask for the same name at once share one lookup: each takes
 * one of the few threads that the process has for such work, and a dead name server would hold them all.
 */
export function systemLookup(): Lookup {
  const running = new Map<string, Promise<string[]>>();
  return (hostname) => {
    const shared = running.get(hostname);
    if (shared) return shared;
    const started = lookup(hostname, { all: true })
      .then((found) => found.map(({ address }) => address))
      .finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  };
}
