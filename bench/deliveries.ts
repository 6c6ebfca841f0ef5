/**
 * npm run bench:deliveries -- [--events N] [--receivers N] [--hanging N] [--only embedded | servers]
 *
 * Measures how fast events reach their receivers; see README.md.
 */
import { parseArgs } from 'node:util';
import { PrivateMariaDb, PrivateRedis } from '../test/support/private-servers';
import { ServerDatabase, SqliteFile } from './deliveries/database';
import { measure, type Measured } from './deliveries/load';
import { printTable, writeJson } from './report';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    receivers: { type: 'string', default: '100' },
    hanging: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
});

async function main(): Promise<void> {
  const extent = {
    events: Number(options.events),
    count: Number(options.receivers),
    hanging: Number(options.hanging),
  };
  const rows: ({ 'set-up': string } & Measured)[] = [];
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

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
