/**
 * node bench/deliveries.cjs [--events N] [--receivers N] [--hanging N] [--only embedded | servers]
 *
 * Measures how fast events reach their receivers; see README.md.
 */
const { parseArgs } = require('node:util');
const { PrivateMariaDb, PrivateRedis } = require('../test/support/private-servers.cjs');
const { ServerDatabase, SqliteFile } = require('./deliveries/database.cjs');
const { measure } = require('./deliveries/load.cjs');
const { printTable, writeJson } = require('./report.cjs');

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    receivers: { type: 'string', default: '100' },
    hanging: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
});

async function main() {
  const extent = {
    events: Number(options.events),
    count: Number(options.receivers),
    hanging: Number(options.hanging),
  };
  const rows = [];
  if (options.only !== 'servers') {
    const database = SqliteFile.create();
    rows.push({ 'set-up': 'SQLite', ...(await measure({ ...extent, database })) });
    await database.drop();
  }
  if (options.only !== 'embedded') {
    const server = await PrivateMariaDb.create({ durable: true });
    const redis = await PrivateRedis.create();
    const database = await ServerDatabase.create(server.url);
    rows.push({ 'set-up': 'MariaDB and Redis', ...(await measure({ ...extent, database, redis })) });
    await redis.destroy();
    await server.destroy();
  }
  printTable(rows);
  writeJson('deliveries', { rows });
  if (rows.some(({ missing }) => missing > 0)) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
