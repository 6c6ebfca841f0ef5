/** Measures the effect on callers of two failing endpoints next to a healthy one, compared with three healthy ones. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { keccak256, toBeHex } from 'ethers';
import { Registry } from 'prom-client';
import { WAYS } from '../test/support/hostile-nodes';
import { WITH_TYPESCRIPT } from '../test/support/run-typescript';
import { EMPTY_JOURNAL } from '../test/support/fake-nodes';
import { readBalance } from '../src/chains/evm/account';
import type { RpcPool } from '../src/chains/rpc/rpc-pool';
import { httpTransport } from '../src/chains/rpc/rpc-transport';
import { parseOutboundAllow } from '../src/config/outbound-allow';
import type { NetworkEntity } from '../src/networks/network.entity';
import { RpcMetrics } from '../src/networks/rpc.metrics';
import { RpcPools } from '../src/networks/rpc-pools';
import { OutboundConnector } from '../src/outbound/outbound-connector';
import { OutboundGuard } from '../src/outbound/outbound-guard';
import { OutboundHttp } from '../src/outbound/outbound-http';
import { systemLookup } from '../src/outbound/system-lookup';
import { start } from './process';
import type { RpcNodeUrls } from './rpc-nodes';
import { printTable, type Row, writeJson } from './report';

const CALLS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const CHUNKS = 10;
const IN_FLIGHT = 32;
const ADDRESS = '0x0000000000000000000000000000000000000001';

interface Subject {
  pool: RpcPool;
  calls: number;
  latencies: number[];
  errors: number;
}

type IsRight = (pool: RpcPool, call: number) => Promise<boolean>;

/** In milliseconds. */
interface Percentiles {
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

interface FailOver {
  way: string;
  healthy: Percentiles;
  mixed: Percentiles;
  addedP99: number;
  errors: number;
}

/** @param extent `calls` to each pool and way, by default 10 000; `only` selects ways by a part of their names */
export async function rpcFailOver({ calls = CALLS, only = '' } = {}): Promise<void> {
  Logger.overrideLogger(false);
  const nodes = start([...WITH_TYPESCRIPT, join(__dirname, 'rpc-nodes.ts')], {}, 'inherit');
  const http = wayOut();
  try {
    const [{ well, failing }] = (await once(nodes.child, 'message')) as [RpcNodeUrls];
    const rows: FailOver[] = [];
    for (const way of Object.keys(WAYS).filter((name) => name.includes(only)))
      rows.push(await measure(http, { way, calls, well, failing: failing[way]! }));
    printTable(rows.map(toLine));
    writeJson('rpc-failover', { calls, rows });
    const wrong = rows.filter(({ errors }) => errors > 0).map(({ way }) => way);
    if (wrong.length > 0) throw new Error(`Calls failed beside nodes with: ${wrong.join(', ')}`);
  } finally {
    await http.onApplicationShutdown();
    await nodes.stop();
  }
}

/** The service's HTTP client for outgoing calls, configured as in production. */
function wayOut(): OutboundHttp {
  const config = { production: true, outbound: { allow: parseOutboundAllow('127.0.0.1') } };
  return new OutboundHttp(
    new OutboundConnector(new OutboundGuard(new ConfigService(config)), systemLookup()),
  );
}

/** Makes calls to both pools in turn, a chunk at a time, with new endpoint objects. */
async function measure(
  http: OutboundHttp,
  { way, calls, well, failing }: { way: string; calls: number; well: string[]; failing: string[] },
): Promise<FailOver> {
  const pools = new RpcPools(httpTransport(http), new RpcMetrics(new Registry()), EMPTY_JOURNAL);
  const poolOf = (id: string, urls: string[]): RpcPool =>
    pools.poolOf(
      { id, name: id, networkType: 'evm', chainId: '1' } as NetworkEntity,
      urls.map((url) => ({ url, weight: 100 })),
      'relayer',
    )!;
  const subjects: [Subject, Subject] = [
    { pool: poolOf('well', well), calls: 0, latencies: [], errors: 0 },
    { pool: poolOf('failing', [...failing, well[0]!]), calls: 0, latencies: [], errors: 0 },
  ];
  const isRight: IsRight = WAYS[way]!.lies
    ? async (pool) => (await readBalance(pool, ADDRESS)) === 1n
    : async (pool, call) => {
        const input = toBeHex(call, 32);
        const response = await pool.forward({ method: 'web3_sha3', params: [input] }, MAX_BYTES);
        return 'result' in response && response.result.toString() === `"${keccak256(input)}"`;
      };
  for (let chunk = 0; chunk < CHUNKS; chunk += 1)
    for (const subject of subjects) await runCalls(subject, isRight, calls / CHUNKS);
  const figures = ({ latencies, errors }: Subject): Percentiles & { errors: number } => ({
    ...percentiles(latencies),
    errors,
  });
  const [healthy, mixed] = [figures(subjects[0]), figures(subjects[1])];
  return { way, healthy, mixed, addedP99: mixed.p99 - healthy.p99, errors: healthy.errors + mixed.errors };
}

async function runCalls(subject: Subject, isRight: IsRight, count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
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

function percentiles(latencies: number[]): Percentiles {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}

const toLine = ({ way, healthy, mixed, addedP99, errors }: FailOver): Row => ({
  'each of two': way,
  '3 healthy: p50 ms': healthy.p50.toFixed(1),
  p99: healthy.p99.toFixed(1),
  '1 healthy: p50 ms': mixed.p50.toFixed(1),
  'p99 ms': mixed.p99.toFixed(1),
  'added p99 ms': addedP99.toFixed(1),
  'p99.9 ms': mixed.p999.toFixed(0),
  'max ms': mixed.max.toFixed(0),
  errors,
});
