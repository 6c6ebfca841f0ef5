/**
 * node bench/delivery-kills.cjs [--events N] [--kills N] [--only embedded | servers]
 *
 * Kills the built service again and again while events are made; see README.md.
 */
const { performance } = require('node:perf_hooks');
const { parseArgs } = require('node:util');
const { PrivateMariaDb, PrivateRedis } = require('../test/support/private-servers.cjs');
const { ServerDatabase, SqliteFile } = require('./deliveries/database.cjs');
const { survive } = require('./deliveries/survival.cjs');
const { writeJson } = require('./report.cjs');

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
  },
});

async function main() {
  const extent = { events: Number(options.events), kills: Number(options.kills), report: console.log };
  const results = {};
  if (options.only !== 'servers') {
    const database = SqliteFile.create();
    results.embedded = await told('SQLite, one instance', survive({ ...extent, database }));
    await database.drop();
  }
  if (options.only !== 'embedded') {
    const server = await PrivateMariaDb.create();
    const redis = await PrivateRedis.create();
    const database = await ServerDatabase.create(server.url);
    const subject = survive({ ...extent, database, redis, instances: 2 });
    results.servers = await told('MariaDB and Redis, two instances', subject);
    await redis.destroy();
    await server.destroy();
  }
  writeJson('delivery-kills', results);
}

async function told(name, result) {
  const start = performance.now();
  const counts = await result;
  console.log(`\n${name}, ${Math.round((performance.now() - start) / 1000)} s`);
  console.table(counts);
  const { missing, undelivered, unknown, forgotten } = counts;
  if (missing + undelivered + unknown + forgotten > 0) process.exitCode = 1;
  return counts;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
