/**
 * npm run bench:delivery-kills -- [--events N] [--kills N] [--only embedded | servers]
 *
 * Kills the built service repeatedly while events are created; see README.md.
 */
import { parseArgs } from 'node:util';
import { PrivateMariaDb, PrivateRedis } from '../test/support/private-servers';
import { ServerDatabase, SqliteFile } from './deliveries/database';
import { type Survival, survive } from './deliveries/survival';
import { writeJson } from './report';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
});

async function main(): Promise<void> {
  const extent = { events: Number(options.events), kills: Number(options.kills), report: console.log };
  const results: Record<string, Survival> = {};
  if (options.only !== 'servers') {
    const database = SqliteFile.create();
    results.embedded = await printed('SQLite, one instance', survive({ ...extent, database }));
    await database.drop();
  }
  if (options.only !== 'embedded') {
    const server = await PrivateMariaDb.create();
    const redis = await PrivateRedis.create();
    const database = await ServerDatabase.create(server.url);
    const subject = survive({ ...extent, database, redis, instances: 2 });
    results.servers = await printed('MariaDB and Redis, two instances', subject);
    await redis.destroy();
    await server.destroy();
  }
  writeJson('delivery-kills', results);
}

async function printed(name: string, result: Promise<Survival>): Promise<Survival> {
  const start = performance.now();
  const counts = await result;
  console.log(`\n${name}, ${Math.round((performance.now() - start) / 1000)} s`);
  console.table(counts);
  const { missing, undelivered, unknown, forgotten } = counts;
  if (missing + undelivered + unknown + forgotten > 0) process.exitCode = 1;
  return counts;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
