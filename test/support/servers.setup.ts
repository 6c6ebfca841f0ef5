import { PrivateMariaDb, PrivateRedis, type PrivateServer } from './private-servers';
import { writeSchema } from './schema';

declare global {
  var privateServers: PrivateServer[];
}

/**
 * Starts the servers that are installed on this machine. With TEST_REQUIRE_SERVERS none may be missing; with
 * TEST_SERVERS=none none are started.
 */
export default async function startServers(): Promise<void> {
  console.log(
    process.env.TEST_ROUNDS === 'full'
      ? '\nAll rounds of the long tests'
      : '\nFew rounds of the long tests (TEST_ROUNDS=full: all rounds)',
  );
  globalThis.privateServers = [];
  if (process.env.TEST_SERVERS === 'none') return;
  try {
    await start('MariaDB (mariadbd)', 'TEST_MARIADB_URL', PrivateMariaDb);
    await start('Redis (redis-server)', 'TEST_REDIS_URL', PrivateRedis);
    process.env.TEST_SCHEMA = await writeSchema(process.env.TEST_MARIADB_URL);
  } catch (error) {
    // There is no teardown after a failed setup.
    for (const server of globalThis.privateServers) await server.destroy();
    throw error;
  }
}

async function start(
  name: string,
  variable: string,
  Server: typeof PrivateMariaDb | typeof PrivateRedis,
): Promise<void> {
  if (Server.available()) {
    const server = await Server.create();
    globalThis.privateServers.push(server);
    process.env[variable] = server.url;
  } else if (process.env.TEST_REQUIRE_SERVERS) {
    throw new Error(`${name} is not installed, and TEST_REQUIRE_SERVERS allows no suite to be skipped`);
  } else {
    console.log(`\n${name} is not installed: its suites are skipped`);
  }
}
