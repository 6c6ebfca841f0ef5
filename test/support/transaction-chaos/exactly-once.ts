import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerDatabase, SqliteFile } from '../../../bench/deliveries/database';
import { rounds } from '../rounds';
import { endure } from './chaos';

/** `TEST_SEED` repeats a run. */
const { TEST_SEED: seed = String(Date.now()) } = process.env;
const HANGS = rounds(6, 1);
const EXTENT = { transactions: rounds(300, 40), kills: rounds(30, 4), reorgs: rounds(10, 2), seed };

/** The time limit in milliseconds. */
export const CHAOS_TIMEOUT = 600_000;

/**
 * Sends transactions through processes of `dist/main.js`, which are killed, and a node that fails, and expects that
 * each was executed exactly once.
 */
export async function expectExactlyOnce(
  database: SqliteFile | ServerDatabase,
  instances: number,
): Promise<void> {
  expect(existsSync(join(__dirname, '../../../dist/main.js'))).toBe(true);
  const { traffic, ...outcome } = await endure({
    ...EXTENT,
    database,
    instances,
    hangs: instances > 1 ? HANGS : 0,
  });
  console.log(`Seed ${seed}\n${JSON.stringify(traffic, null, 2)}`);
  const { transactions } = EXTENT;
  expect(outcome).toEqual({
    requests: transactions,
    statuses: { confirmed: transactions },
    missing: [],
    repeated: [],
    total: transactions,
    otherHashes: [],
    otherReplays: [],
    gaps: [],
    mined: transactions,
    chainNonce: transactions,
    ledgerNonce: transactions,
  });
}
