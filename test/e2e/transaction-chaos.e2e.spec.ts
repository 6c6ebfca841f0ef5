import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServerDatabase, SqliteFile } from '../../bench/deliveries/database';
import { describeWithAnvil } from '../support/anvil';
import { rounds } from '../support/rounds';
import { endure } from '../support/transaction-chaos/chaos';

const { TEST_MARIADB_URL, TEST_SEED = String(Date.now()) } = process.env;
const EXTENT = {
  ...{ transactions: rounds(300, 40), kills: rounds(30, 4), reorgs: rounds(10, 2) },
  seed: TEST_SEED,
};

/** Each seed is in the output; `TEST_SEED` takes it. */
describeWithAnvil('Transactions of a service that is killed, through a node that fails', () => {
  beforeAll(() => {
    expect(existsSync(join(__dirname, '../../dist/main.js'))).toBe(true);
  });

  it('are executed exactly once each, from one process on SQLite', async () => {
    const database = SqliteFile.create();
    try {
      expectExactlyOnce(await endure({ ...EXTENT, database, instances: 1 }));
    } finally {
      await database.drop();
    }
  }, 600_000);

  (TEST_MARIADB_URL ? it : it.skip)(
    'are executed exactly once each, from two processes on MariaDB',
    async () => {
      const database = await ServerDatabase.create(TEST_MARIADB_URL ?? '');
      try {
        expectExactlyOnce(await endure({ ...EXTENT, database, instances: 2 }));
      } finally {
        await database.drop();
      }
    },
    600_000,
  );
});

function expectExactlyOnce({ traffic, ...outcome }: Awaited<ReturnType<typeof endure>>): void {
  console.log(`Seed ${EXTENT.seed}\n${JSON.stringify(traffic, null, 2)}`);
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
