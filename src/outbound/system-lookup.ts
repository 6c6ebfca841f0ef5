import { lookup } from 'node:dns/promises';
import type { Lookup } from './lookup';
import { SharedLookups } from './shared-lookups';

/** libuv's number of threads unless the environment sets another one. */
const DEFAULT_THREADS = 4;
const MIN_WEBHOOK_LOOKUPS = 2;
/** A lookup for a webhook that takes longer is slow. */
const SLOW_WEBHOOK_MS = 1_000;

/**
 * The system's resolver, including the hosts file. Lookups for webhooks use at most half of the threads that libuv has
 * for lookups, a quarter of all, so that names of slow name servers do not delay the calls to nodes and key services.
 * They always get two: with one, each retry of a slow name would delay all other webhooks. With four threads or fewer
 * these are all that libuv has for lookups.
 *
 * @param resolve replaces the resolver in tests
 */
export function systemLookup(resolve: (hostname: string) => Promise<string[]> = bySystem): Lookup {
  const threads = Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_THREADS;
  const others = new SharedLookups(resolve);
  const webhooks = new SharedLookups(resolve, {
    atOnce: Math.max(MIN_WEBHOOK_LOOKUPS, Math.floor(threads / 4)),
    slowMs: SLOW_WEBHOOK_MS,
  });
  return (hostname, purpose) => (purpose === 'webhook' ? webhooks : others).find(hostname);
}

async function bySystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
