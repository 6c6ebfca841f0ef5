/** Stops what the setup started. */
export default async function stopServers(): Promise<void> {
  await Promise.all(globalThis.privateServers.map((server) => server.destroy()));
}
