import { rmSync } from 'node:fs';

/** Stops everything that the setup started, and removes its files. */
export default async function stopServers(): Promise<void> {
  await Promise.all(globalThis.privateServers.map((server) => server.destroy()));
  const { TEST_SCHEMA } = process.env;
  if (TEST_SCHEMA !== undefined) rmSync(TEST_SCHEMA, { recursive: true });
}
