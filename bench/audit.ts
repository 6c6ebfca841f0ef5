/** What the audit log costs a signature: this build with it and without it, in turn, on both databases. See README.md. */
import { join } from 'node:path';
import { createDatabase } from './database';
import { latencyAt, type LatencySample, undisturbed } from './half-load';
import { load } from './load';
import { both, machine, printTable, type Row, writeJson } from './report';
import { type Extent, type Place, runRounds, summarise, summary } from './rounds';
import { BenchedService } from './service';
import { HASHES_SUBJECT } from './subjects';
import type { PrivateMariaDb } from '../test/support/private-servers';

const WITHOUT_AUDIT = join(__dirname, 'without-audit.cjs');

interface Pair {
  name: string;
  without: Place;
  withAudit: Place;
}

/**
 * Throughput over 32 connections in rounds, then p99 of both at half of the rate that the one with the audit log reached.
 * Ratios are taken round by round, where both met the same machine.
 *
 * @param server a private MariaDB
 */
export async function audit(server: PrivateMariaDb, extent: Extent): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  const services: BenchedService[] = [];
  const open = async (preload?: string, database?: string): Promise<Place> => {
    const service = await BenchedService.create({ ...(preload && { preload }) }, database);
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
        without: await open(WITHOUT_AUDIT, await url('without')),
        withAudit: await open(undefined, await url('with')),
      });
    }
    const places = pairs.flatMap(({ without, withAudit }) => [without, withAudit]);
    if (extent.warmUpSeconds > 0)
      for (const { target, subject } of places)
        await load(target, subject, { duration: extent.warmUpSeconds });
    await runRounds(places, [], {
      ...extent,
      onRound: (round) => {
        console.log(`round ${round} of ${extent.rounds}`);
      },
    });
    const rows = pairs.map(throughput);
    printTable(rows);
    const latencies: Row[] = [];
    for (const pair of pairs) latencies.push(await latency(pair, extent));
    printTable(latencies);
    writeJson('audit', { machine: machine(), rows, latencies });
  } finally {
    for (const service of services.reverse()) await service.destroy();
  }
}

function throughput({ name, without, withAudit }: Pair): Row {
  const [before, after] = [summarise(without.samples), summarise(withAudit.samples)];
  const ratios = withAudit.samples.map(
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

async function latency({ name, without, withAudit }: Pair, extent: Extent): Promise<Row> {
  const rate = Math.round(summarise(withAudit.samples).requestsPerSecond.median / 2);
  const [before, after] = await latencyAt(rate, [without, withAudit], extent);
  const p99 = (samples: LatencySample[] = []): string =>
    samples.length === 0
      ? '–'
      : both(
          summary(
            samples.map((sample) => sample.p99),
            Math.min,
          ),
          1,
        );
  return {
    database: name,
    'requests/s': rate,
    'rounds left alone': `${undisturbed(after ?? []).length} of ${after?.length}`,
    'p99 ms without': p99(undisturbed(before ?? [])),
    'p99 ms with': p99(undisturbed(after ?? [])),
    'in all rounds without': p99(before),
    'in all rounds with': p99(after),
  };
}
