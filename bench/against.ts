/**
 * Compares two builds in one run, that of this folder and that of another checkout, each with a database of its own.
 * Both run at the same time and are measured in turn, so that disturbances by the machine affect both.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createDatabase } from './database';
import type { Sample } from './load';
import { both, machine, printTable, writeJson } from './report';
import {
  type Extent,
  type Figures,
  type Place,
  measureInRounds,
  summarise,
  summary,
  type Summary,
} from './rounds';
import type { PrivateMariaDb } from '../test/support/private-servers';
import { BenchedService, type ServiceOptions } from './service';
import { SUBJECTS } from './subjects';

interface NamedPlace extends Place {
  name: string;
}

interface Comparison {
  subject: string;
  before: Figures;
  after: Figures;
  throughput: Summary;
  cpu: Summary;
}

/**
 * @param server a private MariaDB
 * @param folder the folder of the other checkout, which must be built
 * @param withoutAudit for a checkout from before the audit log: this build does not record anything either
 */
export async function against(
  server: PrivateMariaDb,
  folder: string,
  extent: Extent,
  { withoutAudit }: { withoutAudit: boolean },
): Promise<void> {
  const main = join(resolve(folder), 'dist/main.js');
  if (!existsSync(main)) throw new Error(`${main} is missing: build that checkout first`);
  console.log(Object.values(machine()).join(', '));
  const services: BenchedService[] = [];
  const open = async (options: ServiceOptions, database?: string): Promise<BenchedService> => {
    const service = await BenchedService.create(options, database);
    services.push(service);
    return service;
  };
  try {
    const places: NamedPlace[] = [];
    for (const database of ['MySQL', 'SQLite']) {
      const url = async (name: string): Promise<string | undefined> =>
        database === 'MySQL' ? createDatabase(server, name) : undefined;
      const before = await open({ main }, await url('bench_before'));
      const after = await open(
        withoutAudit ? { preload: join(__dirname, 'without-audit.cjs') } : {},
        await url('bench_after'),
      );
      for (const subject of SUBJECTS.filter(({ name }) => name.includes(extent.only))) {
        const name = `${database}, ${subject.name}`;
        places.push(
          { name, target: before, subject, samples: [] },
          { name, target: after, subject, samples: [] },
        );
      }
    }
    await measureInRounds(places, extent);
    report(places, folder);
  } finally {
    for (const service of services.reverse()) await service.destroy();
  }
}

/** Ratios are computed for each round, in which the machine was in the same state for both builds. */
function report(places: NamedPlace[], folder: string): void {
  const rows: Comparison[] = [];
  for (let i = 0; i < places.length; i += 2) {
    const [before, after] = [places[i]!, places[i + 1]!];
    const ratios = (figure: keyof Sample): number[] =>
      after.samples.map((sample, round) => sample[figure] / before.samples[round]![figure]);
    rows.push({
      subject: before.name,
      before: summarise(before.samples),
      after: summarise(after.samples),
      throughput: summary(ratios('requestsPerSecond'), Math.max),
      cpu: summary(ratios('cpuMicroseconds'), Math.min),
    });
  }
  printTable(
    rows.map(({ subject, before, after, throughput, cpu }) => ({
      subject,
      'CPU µs before': both(before.cpuMicroseconds),
      'CPU µs after': both(after.cpuMicroseconds),
      'CPU after/before': both(cpu, 3),
      'requests/s before': both(before.requestsPerSecond),
      'requests/s after': both(after.requestsPerSecond),
      'requests/s after/before': both(throughput, 3),
    })),
  );
  writeJson('against', { folder, rows });
}
