/** Measures this build with and without a part of it, in turn, on both databases. */
import { createDatabase } from './database';
import { both, type Row } from './report';
import { type Extent, type Place, measureInRounds, summarise, summary } from './rounds';
import { BenchedService } from './service';
import { HASHES_SUBJECT } from './subjects';
import type { PrivateMariaDb } from '../test/support/private-servers';

export interface Pair {
  name: string;
  without: Place;
  whole: Place;
}

/**
 * Measures the throughput of signatures in rounds, and leaves the services running for the measurements in `use`.
 *
 * @param server a private MariaDB
 * @param preload a script that removes the part from a service before it starts
 */
export async function withPairs(
  server: PrivateMariaDb,
  preload: string,
  extent: Extent,
  use: (pairs: readonly Pair[]) => Promise<void>,
): Promise<void> {
  const services: BenchedService[] = [];
  const open = async (preloaded?: string, database?: string): Promise<Place> => {
    const service = await BenchedService.create({ ...(preloaded && { preload: preloaded }) }, database);
    services.push(service);
    return { target: service, subject: HASHES_SUBJECT, samples: [] };
  };
  try {
    const pairs: Pair[] = [];
    for (const name of ['MySQL', 'SQLite'].filter((database) => database.includes(extent.only))) {
      const url = async (suffix: string): Promise<string | undefined> =>
        name === 'MySQL' ? createDatabase(server, `bench_${suffix}`) : undefined;
      pairs.push({
        name,
        without: await open(preload, await url('without')),
        whole: await open(undefined, await url('whole')),
      });
    }
    const places = pairs.flatMap(({ without, whole }) => [without, whole]);
    await measureInRounds(places, extent);
    await use(pairs);
  } finally {
    for (const service of services.reverse()) await service.destroy();
  }
}

/** Ratios are computed for each round, in which the machine was in the same state for both. */
export function throughputOf({ name, without, whole }: Pair): Row {
  const [before, after] = [summarise(without.samples), summarise(whole.samples)];
  const ratios = whole.samples.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / without.samples[round]!.requestsPerSecond,
  );
  return {
    database: name,
    'CPU µs without': both(before.cpuMicroseconds),
    'CPU µs with': both(after.cpuMicroseconds),
    'requests/s without': both(before.requestsPerSecond),
    'requests/s with': both(after.requestsPerSecond),
    'requests/s with / without': both(summary(ratios, Math.max), 3),
  };
}
