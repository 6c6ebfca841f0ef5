/**
 * Measures the cost of the audit log for a signature: this build with and without it, in turn, on both databases. See
 * README.md.
 */
import { join } from 'node:path';
import { latencyAt, type LatencySample, undisturbed } from './half-load';
import { type Pair, throughputOf, withPairs } from './pairs';
import { both, machine, printTable, type Row, writeJson } from './report';
import { type Extent, summarise, summary } from './rounds';
import type { PrivateMariaDb } from '../test/support/private-servers';

/**
 * Measures throughput, and then p99 of both at half the rate that the build with the audit log reached.
 *
 * @param server a private MariaDB
 */
export async function audit(server: PrivateMariaDb, extent: Extent): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  await withPairs(server, join(__dirname, 'without-audit.cjs'), extent, async (pairs) => {
    const rows = pairs.map(throughputOf);
    printTable(rows);
    const latencies: Row[] = [];
    for (const pair of pairs) latencies.push(await latency(pair, extent));
    printTable(latencies);
    writeJson('audit', { machine: machine(), rows, latencies });
  });
}

async function latency({ name, without, whole }: Pair, extent: Extent): Promise<Row> {
  const rate = Math.round(summarise(whole.samples).requestsPerSecond.median / 2);
  const [before, after] = await latencyAt(rate, [without, whole], extent);
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
    'undisturbed rounds': `${undisturbed(after ?? []).length} of ${after?.length}`,
    'p99 ms without': p99(undisturbed(before ?? [])),
    'p99 ms with': p99(undisturbed(after ?? [])),
    'in all rounds without': p99(before),
    'in all rounds with': p99(after),
  };
}
