/** Runs rounds over all subjects in turn, so that a machine that slows down for a minute affects all of them. */
import { load, type Sample, type Subject, type Target } from './load';
import { signaturesPerSecond } from './engines';

/** The best and the median of the rounds. */
export interface Summary {
  best: number;
  median: number;
}

export type Figures = Record<keyof Sample, Summary>;

/** A subject at a target, and its measurements. */
export interface Place {
  target: Target;
  subject: Subject;
  samples: Sample[];
}

export interface Extent {
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
  /** Selects subjects by a part of their names. */
  only: string;
}

/**
 * Warms all places up, then measures them and the engines in rounds, which it prints.
 *
 * @param places the samples of each are appended to its `samples`
 * @param engines likewise, in signatures per second
 */
export async function measureInRounds(
  places: Place[],
  { rounds, seconds, warmUpSeconds }: Extent,
  engines: { sign: (digest: Buffer) => unknown; samples: number[] }[] = [],
): Promise<void> {
  if (warmUpSeconds > 0) {
    console.log('warm-up');
    for (const { target, subject } of places) await load(target, subject, { duration: warmUpSeconds });
  }
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round} of ${rounds}`);
    for (const { target, subject, samples } of places)
      samples.push(await load(target, subject, { duration: seconds }));
    for (const { sign, samples } of engines) samples.push(signaturesPerSecond(sign, seconds / 4));
  }
}

/** The best and the median of the rounds; `best` picks the better one of two numbers. */
export function summary(numbers: number[], best: (...numbers: number[]) => number): Summary {
  const sorted = numbers.toSorted((a, b) => a - b);
  return { best: best(...numbers), median: sorted[Math.floor(sorted.length / 2)]! };
}

/** The samples of the rounds by figure: `{best, median}` each. */
export function summarise(samples: Sample[]): Figures {
  const of = (figure: keyof Sample, best: (...numbers: number[]) => number): Summary =>
    summary(
      samples.map((sample) => sample[figure]),
      best,
    );
  return {
    requestsPerSecond: of('requestsPerSecond', Math.max),
    signaturesPerSecond: of('signaturesPerSecond', Math.max),
    cpuMicroseconds: of('cpuMicroseconds', Math.min),
    p50: of('p50', Math.min),
    p99: of('p99', Math.min),
    rss: of('rss', Math.min),
  };
}
