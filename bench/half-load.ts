/** Measures latency below saturation, at several places in turn. */
import { stolenDuring } from './process';
import type { Extent, Place } from './rounds';
import { type Latency, steadyLoad } from './steady';

/** If the host takes more than this share of the CPU time from a machine, requests are late because of it. */
export const MOST_STOLEN = 0.02;
/** The maximum number of rounds, as a multiple of those requested. */
const MOST_ROUNDS = 5;

export type LatencySample = Latency & { stolen?: number };

/**
 * Measures latency while requests arrive at a steady rate. It continues until enough rounds of the first place are
 * undisturbed by the machine's host, up to a limit. Whether a round counts depends on the CPU time that the host took,
 * never on the latency.
 *
 * @param rate requests per second
 * @returns samples of each place, in the same order
 */
export async function latencyAt(
  rate: number,
  places: readonly Pick<Place, 'target' | 'subject'>[],
  { rounds, seconds, warmUpSeconds }: Extent,
): Promise<LatencySample[][]> {
  const samples = places.map((): LatencySample[] => []);
  const [first = []] = samples;
  // The rounds have warmed up the services, but not the code that sends at a steady rate.
  if (warmUpSeconds > 0)
    for (const { target, subject } of places)
      await steadyLoad(target, subject, { duration: warmUpSeconds, rate });
  while (undisturbed(first).length < rounds && first.length < rounds * MOST_ROUNDS)
    for (const [index, { target, subject }] of places.entries()) {
      const work = () => steadyLoad(target, subject, { duration: seconds * 2, rate });
      const { result, stolen } = await stolenDuring(work);
      samples[index]?.push({ ...result, ...(stolen !== undefined && { stolen }) });
    }
  return samples;
}

export const undisturbed = (samples: readonly LatencySample[]): LatencySample[] =>
  samples.filter(({ stolen = 0 }) => stolen <= MOST_STOLEN);
