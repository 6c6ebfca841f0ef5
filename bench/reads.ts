/** Compares reads, changes and signatures: CPU time per request, also relative to signing by hashes in the same run. */
import type { Target } from './load';
import { both, machine, printTable, writeJson } from './report';
import { type Extent, type Place, measureInRounds, summarise, type Summary, summary } from './rounds';
import { HASHES_SUBJECT, READS } from './subjects';

/** The maximum cost of a request, relative to signing by hashes. */
const GOALS: Readonly<Record<string, number>> = { 'get one': 0.71, list: 1.03, patch: 1.94 };

type DatabasePlace = Place & { database: string };

/**
 * @param services by database name
 * @param extent its `only` selects subjects by a part of their names
 */
export async function reads(services: Record<string, Target>, extent: Extent): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  const subjects = READS.filter(
    (subject) => subject === HASHES_SUBJECT || subject.name.includes(extent.only),
  );
  const places: DatabasePlace[] = Object.entries(services).flatMap(([database, target]) =>
    subjects.map((subject) => ({ database, target, subject, samples: [] })),
  );
  await measureInRounds(places, extent);
  const rows = places.map((place) => ({
    ...place,
    figures: summarise(place.samples),
    share: shareOf(place, places),
  }));
  printTable(
    rows.map(({ database, subject, figures, share }) => ({
      subject: `${database}, ${subject.name}`,
      'CPU µs/request': both(figures.cpuMicroseconds),
      'of sign by hashes': both(share, 2),
      goal: GOALS[subject.name] ?? '–',
      'requests/s': both(figures.requestsPerSecond),
      'p50 ms': both(figures.p50),
      'p99 ms': both(figures.p99),
    })),
  );
  writeJson('reads', {
    extent,
    rows: rows.map(({ database, subject, figures, share }) => ({
      database,
      name: subject.name,
      figures,
      share,
    })),
  });
}

/** Computed for each round, in which the machine was in the same state for both. */
function shareOf({ database, samples }: DatabasePlace, places: DatabasePlace[]): Summary {
  const signing = places.find((place) => place.database === database && place.subject === HASHES_SUBJECT)!;
  const shares = samples.map(
    ({ cpuMicroseconds }, i) => cpuMicroseconds / signing.samples[i]!.cpuMicroseconds,
  );
  return summary(shares, Math.min);
}
