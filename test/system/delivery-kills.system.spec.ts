import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ServerDatabase, SqliteFile } from '../../bench/deliveries/database';
import { survive, type Survival } from '../../bench/deliveries/survival';
import { PrivateRedis } from '../support/private-servers';
import { rounds } from '../support/rounds';

const { TEST_MARIADB_URL, TEST_REDIS_URL } = process.env;
const EXTENT = { events: rounds(1000, 300), kills: rounds(10, 3) };

/** `npm run bench:delivery-kills` runs the same test for longer. */
describe('Events of a service that is killed while it creates and delivers them', () => {
  beforeAll(() => {
    expect(existsSync(join(__dirname, '../../dist/main.js'))).toBe(true);
  });

  it('all arrive, on SQLite', async () => {
    const database = SqliteFile.create();
    expectAllArrived(await survive({ ...EXTENT, database }));
    await database.drop();
  }, 600_000);

  (TEST_MARIADB_URL && TEST_REDIS_URL ? it : it.skip)(
    'all arrive, from two instances on MariaDB whose Redis is flushed and temporarily unavailable',
    async () => {
      const redis = await PrivateRedis.create();
      const database = await ServerDatabase.create(TEST_MARIADB_URL ?? '');
      expectAllArrived(await survive({ ...EXTENT, database, redis, instances: 2 }));
      await database.drop();
      await redis.destroy();
    },
    600_000,
  );
});

function expectAllArrived(counts: Survival): void {
  expect(counts).toMatchObject({ missing: 0, undelivered: 0, unknown: 0, forgotten: 0 });
  expect(counts.acknowledged).toBeGreaterThanOrEqual(EXTENT.events);
  expect(counts.rows).toBeGreaterThanOrEqual(counts.acknowledged);
}
