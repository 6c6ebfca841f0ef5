import { lookup } from 'node:dns/promises';
import type { Lookup } from './lookup';
import { SharedLookups } from './shared-lookups';

/** The system's resolver, including the hosts file. */
export function systemLookup(): Lookup {
  const lookups = new SharedLookups(async (hostname) => {
    const found = await lookup(hostname, { all: true });
    return found.map(({ address }) => address);
  });
  return (hostname) => lookups.find(hostname);
}
