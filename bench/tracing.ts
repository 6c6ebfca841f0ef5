/**
 * Measures the cost of spans when none are recorded: this build as it is, and with the calls removed, in turn. See
 * README.md.
 */
import { join } from 'node:path';
import { throughputOf, withPairs } from './pairs';
import { machine, printTable, writeJson } from './report';
import type { Extent } from './rounds';
import type { PrivateMariaDb } from '../test/support/private-servers';

/** @param server a private MariaDB */
export async function tracing(server: PrivateMariaDb, extent: Extent): Promise<void> {
  console.log(Object.values(machine()).join(', '));
  await withPairs(server, join(__dirname, 'without-spans.cjs'), extent, (pairs) => {
    const rows = pairs.map(throughputOf);
    printTable(rows);
    writeJson('tracing', { machine: machine(), rows });
    return Promise.resolve();
  });
}
