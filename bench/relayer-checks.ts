/** Measures the cost of relayer checks: at startup, and the load while nothing else happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PrivateMariaDb } from '../test/support/private-servers';
import { type CheckCounts, CheckedService } from './checked-service';
import { createDatabase } from './database';
import { both, printTable, writeJson } from './report';
import { summary } from './rounds';

/** After a start all relayers are checked within a short time, and regularly from then on. */
const EXTENT = { sizes: [10, 1000], networks: 20, interval: 60, settleSeconds: 60, seconds: 180 };
const SMOKE = { sizes: [1, 20], networks: 4, interval: 1, settleSeconds: 1, seconds: 3 };

interface CheckLoad {
  checksPerSecond: number;
  callsPerSecond: number;
  cpuMillisecondsPerSecond: number;
  rss: number;
}

export async function relayerChecks({ smoke, starts }: { smoke: boolean; starts: number }): Promise<void> {
  const extent = smoke ? { ...SMOKE, starts: 1 } : { ...EXTENT, starts };
  const server = await PrivateMariaDb.create({ durable: true });
  const services: CheckedService[] = [];
  try {
    for (const relayers of extent.sizes) {
      const database = await createDatabase(server, `bench_${relayers}`);
      const mysql = { ...extent, name: `MariaDB, ${relayers} relayers`, relayers, database };
      const sqlite = { ...extent, name: `SQLite, ${relayers} relayers`, relayers };
      for (const place of [mysql, sqlite]) services.push(await CheckedService.create(place));
    }
    for (let i = 0; i < extent.starts; i += 1) await startEach(services);
    report(extent, services, await observe(services, extent));
  } finally {
    for (const service of services) await service.destroy();
    await server.destroy();
  }
}

/** Started one after the other, in turn, so that a machine that slows down affects all of them. */
async function startEach(services: CheckedService[]): Promise<void> {
  for (const service of services) {
    service.starts.push(await service.start());
    await service.stop();
  }
}

/** The load of all services, which run at the same time. */
async function observe(
  services: CheckedService[],
  { settleSeconds, seconds }: typeof EXTENT,
): Promise<CheckLoad[]> {
  for (const service of services) await service.start();
  await sleep(settleSeconds * 1000);
  const before = await Promise.all(services.map((service) => service.counts()));
  await sleep(seconds * 1000);
  const after = await Promise.all(services.map((service) => service.counts()));
  return after.map((counts, i) => loadBetween(before[i]!, counts));
}

function loadBetween(before: CheckCounts, after: CheckCounts): CheckLoad {
  const seconds = (after.at - before.at) / 1000;
  const perSecond = (figure: keyof CheckCounts): number => (after[figure] - before[figure]) / seconds;
  if (after.failed > 0) throw new Error(`${after.failed} checks failed`);
  if (after.checks === before.checks) throw new Error('Nothing was checked');
  return {
    checksPerSecond: perSecond('checks'),
    callsPerSecond: perSecond('calls'),
    cpuMillisecondsPerSecond: perSecond('cpu') * 1000,
    rss: after.rss,
  };
}

function report(extent: object, services: CheckedService[], loads: CheckLoad[]): void {
  const results = services.map(({ name, starts }, i) => ({
    name,
    startMs: summary(
      starts.map(({ ms }) => ms),
      Math.min,
    ),
    startCpuMs: summary(
      starts.map(({ cpuMs }) => cpuMs),
      Math.min,
    ),
    ...loads[i]!,
  }));
  printTable(
    results.map((result) => ({
      place: result.name,
      'start ms': both(result.startMs),
      'start CPU ms': both(result.startCpuMs),
      'checks/s': result.checksPerSecond.toFixed(1),
      'RPC calls/s': result.callsPerSecond.toFixed(1),
      'CPU ms/s': result.cpuMillisecondsPerSecond.toFixed(1),
      'RSS MiB': result.rss.toFixed(0),
    })),
  );
  writeJson('relayer-checks', { extent, results });
}
