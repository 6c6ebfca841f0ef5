/** Latency below saturation, of several places in turn. */
import { stolenDuring } from './process';
import type { Extent, Place } from './rounds';
import { type Latency, steadyLoad } from './steady';

/** A host that takes more than this share of the CPU time from a machine makes its requests late. */
export const MOST_STOLEN = 0.02;
/** Times the rounds that were asked for. */
const MOST_ROUNDS = 5;

export type LatencySample = Latency & { stolen?: number };

/**
 * Latency while requests come at a steady rate. It takes rounds until enough of the first place are undisturbed by the
 * machine's host, but not for ever. What the host took of the CPU time decides whether a round counts, never its latency.
 *
 * @param rate requests per second
 * @returns samples of each place, in its order
 */
export async function latencyAt(
  rate: number,
  places: readonly Pick<Place, 'target' | 'subject'>[],
  { rounds, seconds, warmUpSeconds }: Extent,
): Promise<LatencySample[][]> {
  const samples = places.map((): LatencySample[] => []);
  const [first = []] = samples;
  // The rounds have warmed up the services, but not what sends at a steady rate.
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
