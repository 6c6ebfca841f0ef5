/** What callers see of two endpoints that fail beside one that is well, against three that are well. */
const { once } = require('node:events');
const { join } = require('node:path');
const { performance } = require('node:perf_hooks');
const { Logger } = require('@nestjs/common');
const { ConfigService } = require('@nestjs/config');
const { keccak256, toBeHex } = require('ethers');
const { Registry } = require('prom-client');
const { WAYS } = require('../test/support/hostile-nodes.cjs');
const { start } = require('./process.cjs');
const { printTable, writeJson } = require('./report.cjs');

const dist = (file) => require(join(__dirname, '../dist', file));

const CALLS = 10_000;
/** Remembers nothing: there is no database. */
const NO_JOURNAL = { interruptionOf: async () => undefined, watch: (_url, work) => work() };
const MAX_BYTES = 8 * 1024 * 1024;
const CHUNKS = 10;
const IN_FLIGHT = 32;
const ADDRESS = '0x0000000000000000000000000000000000000001';

/** @param extent `calls` to each pool and way, 10 000 by default; `only` a part of the names of ways */
async function rpcFailOver({ calls = CALLS, only = '' } = {}) {
  Logger.overrideLogger(false);
  const nodes = start([join(__dirname, 'rpc-nodes.cjs')], {}, 'inherit');
  const http = wayOut();
  try {
    const [{ well, failing }] = await once(nodes.child, 'message');
    const rows = [];
    for (const way of Object.keys(WAYS).filter((name) => name.includes(only)))
      rows.push(await measure(http, { way, calls, well, failing: failing[way] }));
    printTable(rows.map(toLine));
    writeJson('rpc-failover', { calls, rows });
    const wrong = rows.filter(({ errors }) => errors > 0).map(({ way }) => way);
    if (wrong.length > 0) throw new Error(`Calls failed beside nodes with: ${wrong.join(', ')}`);
  } finally {
    await http.onApplicationShutdown();
    await nodes.stop();
  }
}

/** The way out of the service, as it is in production. */
function wayOut() {
  const { OutboundConnector } = dist('outbound/outbound-connector');
  const { OutboundGuard } = dist('outbound/outbound-guard');
  const { OutboundHttp } = dist('outbound/outbound-http');
  const { systemLookup } = dist('outbound/system-lookup');
  const { parseOutboundAllow } = dist('config/outbound-allow');
  const config = { production: true, outbound: { allow: parseOutboundAllow('127.0.0.1') } };
  return new OutboundHttp(
    new OutboundConnector(new OutboundGuard(new ConfigService(config)), systemLookup()),
  );
}

/** Calls to both pools in turn, a chunk at a time; nothing is known of the endpoints before. */
async function measure(http, { way, calls, well, failing }) {
  const { httpTransport } = dist('networks/rpc/rpc-transport');
  const { RpcMetrics } = dist('networks/rpc/rpc.metrics');
  const { RpcPools } = dist('networks/rpc/rpc-pools');
  const { readBalance } = dist('networks/rpc/evm-account');
  const pools = new RpcPools(httpTransport(http), new RpcMetrics(new Registry()), NO_JOURNAL);
  const poolOf = (id, urls) =>
    pools.poolOf(
      { id, name: id, networkType: 'evm', chainId: '1' },
      urls.map((url) => ({ url, weight: 100 })),
      'relayer',
    );
  const subjects = [
    { pool: poolOf('well', well), calls: 0, latencies: [], errors: 0 },
    { pool: poolOf('failing', [...failing, well[0]]), calls: 0, latencies: [], errors: 0 },
  ];
  const isRight = WAYS[way].lies
    ? async (pool) => (await readBalance(pool, ADDRESS)) === 1n
    : async (pool, call) => {
        const input = toBeHex(call, 32);
        const { result } = await pool.forward({ method: 'web3_sha3', params: [input] }, MAX_BYTES);
        return result.toString() === `"${keccak256(input)}"`;
      };
  for (let chunk = 0; chunk < CHUNKS; chunk += 1)
    for (const subject of subjects) await runCalls(subject, isRight, calls / CHUNKS);
  const [healthy, mixed] = subjects.map(({ latencies, errors }) => ({ ...percentiles(latencies), errors }));
  return { way, healthy, mixed, addedP99: mixed.p99 - healthy.p99, errors: healthy.errors + mixed.errors };
}

async function runCalls(subject, isRight, count) {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const startedAt = performance.now();
      const right = await isRight(subject.pool, (subject.calls += 1)).catch(() => false);
      subject.latencies.push(performance.now() - startedAt);
      if (!right) subject.errors += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

function percentiles(latencies) {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: sorted.at(-1) };
}

const toLine = ({ way, healthy, mixed, addedP99, errors }) => ({
  'each of two': way,
  'three well: p50 ms': healthy.p50.toFixed(1),
  p99: healthy.p99.toFixed(1),
  'one well: p50 ms': mixed.p50.toFixed(1),
  'p99 ms': mixed.p99.toFixed(1),
  'added p99 ms': addedP99.toFixed(1),
  'p99.9 ms': mixed.p999.toFixed(0),
  'max ms': mixed.max.toFixed(0),
  errors,
});

module.exports = { rpcFailOver };
