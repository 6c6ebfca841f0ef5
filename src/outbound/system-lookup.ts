import { lookup } from 'node:dns/promises';
import type { Lookup } from './lookup';
import { SharedLookups } from './shared-lookups';

/** libuv's number of threads unless the environment sets another one. */
const DEFAULT_THREADS = 4;
/** With one, each retry of a slow name would delay all others. */
const MIN_AT_ONCE = 2;
/** A lookup of a name that a client has chosen is slow if it takes longer. */
const SLOW_CLIENT_MS = 1_000;

/**
 * The system's resolver, including the hosts file. libuv looks up names in half of its threads, first come, first
 * served, and cannot cancel a lookup. So each kind of call uses at most a fifth of that half, and names of slow name
 * servers delay only calls of their own kind: to nodes of networks, to nodes of `custom_rpc_urls`, to webhooks, and to
 * key services and others. The last fifth is for the drivers of the database and Redis, which do not use this lookup.
 *
 * @param resolve replaces the resolver in tests
 */
export function systemLookup(resolve: (hostname: string) => Promise<string[]> = bySystem): Lookup {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_THREADS;
  const atOnce = Math.max(MIN_AT_ONCE, Math.floor(threads / 2 / 5));
  const nodes = new SharedLookups(resolve, { atOnce });
  const customNodes = new SharedLookups(resolve, { atOnce, slowMs: SLOW_CLIENT_MS });
  const webhooks = new SharedLookups(resolve, { atOnce, slowMs: SLOW_CLIENT_MS });
  const others = new SharedLookups(resolve, { atOnce });
  return (hostname, { purpose, isCustom }) => {
    if (purpose === 'rpc') return (isCustom ? customNodes : nodes).find(hostname);
    return (purpose === 'webhook' ? webhooks : others).find(hostname);
  };
}

async function bySystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
