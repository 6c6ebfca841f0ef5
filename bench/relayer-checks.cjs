/**
 * node bench/relayer-checks.cjs [--smoke] [--starts N] [--seconds N]
 *
 * What the checks of relayers cost: the start, and the load while nothing else is asked; see README.md.
 */
const { createConnection } = require('mysql2/promise');
const { setTimeout: sleep } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const { PrivateMariaDb } = require('../test/support/private-servers.cjs');
const { CheckedService } = require('./checked-service.cjs');
const { printTable, writeJson } = require('./report.cjs');
const { summary } = require('./rounds.cjs');

const { values: options } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: false },
    starts: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '180' },
  },
});

const EXTENT = options.smoke
  ? { sizes: [1, 20], networks: 4, interval: 1, starts: 1, settleSeconds: 1, seconds: 2 }
  : {
      sizes: [10, 1000],
      networks: 20,
      interval: 60,
      starts: Number(options.starts),
      // All are checked after the start, and take their turns from then on.
      settleSeconds: 60,
      seconds: Number(options.seconds),
    };

async function main() {
  const server = await PrivateMariaDb.create({ durable: true });
  const services = [];
  try {
    for (const size of EXTENT.sizes) {
      const mysql = {
        name: `MySQL, ${size} relayers`,
        database: await createDatabase(server, `bench_${size}`),
      };
      for (const place of [mysql, { name: `SQLite, ${size} relayers` }])
        services.push(await CheckedService.create({ ...place, ...EXTENT, relayers: size }));
    }
    for (let i = 0; i < EXTENT.starts; i += 1) await startEach(services);
    const loads = await observe(services);
    report(services, loads);
  } finally {
    for (const service of services) await service.destroy();
    await server.destroy();
  }
}

/** One after the other, and in turn, so that a machine that slows down slows all of them down. */
async function startEach(services) {
  for (const service of services) {
    service.starts.push(await service.start());
    await service.stop();
  }
}

/** The load of all services, which run beside each other. */
async function observe(services) {
  for (const service of services) await service.start();
  await sleep(EXTENT.settleSeconds * 1000);
  const before = await Promise.all(services.map((service) => service.counts()));
  await sleep(EXTENT.seconds * 1000);
  const after = await Promise.all(services.map((service) => service.counts()));
  return after.map((counts, i) => loadBetween(before[i], counts));
}

function loadBetween(before, after) {
  const seconds = (after.at - before.at) / 1000;
  const perSecond = (figure) => (after[figure] - before[figure]) / seconds;
  if (after.failed > 0) throw new Error(`${after.failed} checks failed`);
  if (after.checks === before.checks) throw new Error('Nothing was checked');
  return {
    checksPerSecond: perSecond('checks'),
    callsPerSecond: perSecond('calls'),
    cpuMillisecondsPerSecond: perSecond('cpu') * 1000,
    rss: after.rss,
  };
}

function report(services, loads) {
  const results = services.map(({ name, starts }, i) => ({
    name,
    startMs: summary(starts, Math.min),
    ...loads[i],
  }));
  printTable(
    results.map(({ name, startMs, checksPerSecond, callsPerSecond, cpuMillisecondsPerSecond, rss }) => ({
      place: name,
      'start ms (best / median)': `${startMs.best.toFixed(0)} / ${startMs.median.toFixed(0)}`,
      'checks/s': checksPerSecond.toFixed(1),
      'RPC calls/s': callsPerSecond.toFixed(1),
      'CPU ms/s': cpuMillisecondsPerSecond.toFixed(1),
      'RSS MiB': rss.toFixed(0),
    })),
  );
  writeJson('relayer-checks', { extent: EXTENT, results });
}

async function createDatabase(server, name) {
  const connection = await createConnection(server.url);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await connection.end();
  return `${server.url}/${name}`;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
