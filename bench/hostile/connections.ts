/**
 * Measures the cost of hostile connections for everybody else: how much the service's memory grows, and how long probes
 * and signatures take meanwhile, on new connections and on a kept-alive one. Fails if a limit is exceeded.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/private-servers';
import { WITH_TYPESCRIPT } from '../../test/support/run-typescript';
import { cpuSeconds, residentMegabytes } from '../process';
import { printTable, writeJson } from '../report';
import { BenchedService } from '../service';

const ATTACKER = join(__dirname, 'attacker.ts');
const MAX_GROWTH = 64;
const MAX_LATENCY_MS = 100;
const PROBE_EVERY_MS = 40;
const WARM_UP = 300;
/** Of probes, however long they take: the burst at the beginning delays the first ones, so that few say nothing. */
const LEAST_ROUNDS = 25;
/** A service that is so slow that it does not get through the rounds is judged by those that it managed. */
const LONGEST_SECONDS = 60;
/**
 * A case beyond the limits is repeated: a shared machine may lack a free core for a while, but delays caused by the
 * service occur each time.
 */
const TIMES = 3;

interface HostileCase {
  name: string;
  connections: number;
  title: string;
  /** Whether the case is omitted from a smoke test. */
  long?: boolean;
}

interface Attack {
  growth: number;
  cpu: number;
  /** In milliseconds, by probe. */
  latencies: Record<string, number[]>;
}

const CASES: HostileCase[] = [
  { name: 'bombs', connections: 1500, title: '1500 connections that send a bomb of brotli' },
  { name: 'trickle', connections: 1500, title: '1500 connections that trickle headers' },
  { name: 'bodies', connections: 300, title: '300 connections that send 1 MiB without a token' },
  { name: 'unread', connections: 60, title: '60 connections that do not read batches' },
  { name: 'rpc', connections: 60, title: '60 connections that do not read /rpc, 7 MiB each', long: true },
  { name: 'pages', connections: 60, title: '60 connections that do not read pages' },
];

const SETTINGS = { OUTBOUND_ALLOW: '127.0.0.0/8', RELAYER_CHECK_INTERVAL_SECONDS: '0' };

/** @returns milliseconds until the response has been read; rejects for any status but 200 */
function latencyOf(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    agent,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string; agent: Agent | false },
): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume();
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begin);
        else reject(new Error(`${response.statusCode ?? 0} for ${url}`));
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

function probesOf({ url, headers }: BenchedService): Record<string, () => Promise<number>> {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  const sign = {
    method: 'POST',
    headers,
    body: JSON.stringify({ domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) }),
  };
  const path = `${url}/api/v1/relayers/bench-1/sign-typed-data`;
  return {
    health: () => latencyOf(`${url}/v1/health`, { agent: false }),
    signature: () => latencyOf(path, { ...sign, agent: kept }),
    'signature, new connection': () => latencyOf(path, { ...sign, agent: false }),
  };
}

async function attack(
  service: BenchedService,
  { name, connections }: HostileCase,
  seconds: number,
): Promise<Attack> {
  const probes = Object.entries(probesOf(service));
  const latencies: Attack['latencies'] = Object.fromEntries(probes.map(([probe]) => [probe, []]));
  const { port } = new URL(service.url);
  const nodePort = await freePort();
  const attacker = fork(ATTACKER, [port, name, String(connections), service.apiKey, String(nodePort)], {
    execArgv: WITH_TYPESCRIPT,
  });
  await once(attacker, 'message');
  if (name === 'rpc') await addRpcRelayer(service, nodePort);
  const before = residentMegabytes(service.pid);
  let most = before;
  let elapsed = 0;
  const cpuBefore = cpuSeconds(service.pid);
  attacker.send('go');
  const ended = new Promise((resolve) => attacker.once('exit', resolve));
  try {
    const begin = performance.now();
    for (let rounds = 0; elapsed < seconds || rounds < LEAST_ROUNDS; rounds += 1) {
      if (elapsed > LONGEST_SECONDS) break;
      const round = probes.map(async ([probe, measure]) => latencies[probe]!.push(await measure()));
      await Promise.all([...round, sleep(PROBE_EVERY_MS)]);
      most = Math.max(most, residentMegabytes(service.pid));
      elapsed = (performance.now() - begin) / 1000;
    }
  } finally {
    attacker.disconnect();
    await ended;
  }
  return { growth: most - before, cpu: (cpuSeconds(service.pid) - cpuBefore) / elapsed, latencies };
}

/** Adds a relayer on a network whose node is the attacker's. */
async function addRpcRelayer(service: BenchedService, nodePort: number): Promise<void> {
  const network = {
    name: 'bench-rpc',
    network_type: 'evm',
    chain_id: 424242,
    rpc_urls: [`http://127.0.0.1:${nodePort}`],
  };
  await service.post('/api/v1/networks', network);
  const config = { key: randomBytes(32).toString('hex') };
  await service.post('/api/v1/signers', { id: 'bench-rpc', type: 'plain', config });
  await service.post('/api/v1/relayers', {
    id: 'bench-rpc',
    name: 'bench-rpc',
    network: 'bench-rpc',
    network_type: 'evm',
    signer_id: 'bench-rpc',
    paused: false,
  });
}

/** A service grows while it serves its first requests, whoever sends them. */
async function warmUp(service: BenchedService): Promise<void> {
  const probes = Object.values(probesOf(service));
  for (let i = 0; i < WARM_UP; i += 1) await Promise.all(probes.map((probe) => probe()));
  const items = Array(1000).fill({ domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) });
  const path = '/api/v1/relayers/bench-0/sign-typed-data/batch';
  await Promise.all(Array.from({ length: 120 }, () => service.post(path, { items })));
}

interface Figures {
  title: string;
  growth: number;
  cpu: number;
  latencies: Record<string, { p50: number; p95: number; longest: number }>;
}

/** Calls a function with a new service that is warm. */
async function withService<T>(use: (service: BenchedService) => Promise<T>): Promise<T> {
  const service = await BenchedService.create({ settings: SETTINGS });
  try {
    await warmUp(service);
    return await use(service);
  } finally {
    await service.destroy();
  }
}

async function figuresOf(service: BenchedService, each: HostileCase, seconds: number): Promise<Figures> {
  const { growth, cpu, latencies } = await attack(service, each, seconds);
  const quantile = (values: number[], share: number): number =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
  return {
    title: each.title,
    growth,
    cpu,
    latencies: Object.fromEntries(
      Object.entries(latencies).map(([probe, values]) => [
        probe,
        { p50: quantile(values, 0.5), p95: quantile(values, 0.95), longest: quantile(values, 1) },
      ]),
    ),
  };
}

function faultsOf({ title, growth, latencies }: Figures, share: 'p50' | 'p95'): string[] {
  return [
    ...(growth > MAX_GROWTH ? [`${title}: the service grew by ${growth.toFixed(0)} MiB`] : []),
    ...Object.entries(latencies)
      .filter(([, figure]) => figure[share] > MAX_LATENCY_MS)
      .map(([probe, figure]) => `${title}: ${probe} took ${figure[share].toFixed(0)} ms (${share})`),
  ];
}

/**
 * @param seconds the least duration of each case
 * @param smoke whether to omit long cases, to send the others to one service, and to judge medians instead of 95th
 *   percentiles
 */
export async function hostileConnections({
  seconds,
  smoke = false,
  only = '',
}: {
  seconds: number;
  smoke?: boolean;
  only?: string;
}): Promise<void> {
  // Most of a short run is the burst at its beginning, so only the median is meaningful.
  const share = smoke ? 'p50' : 'p95';
  const cases = CASES.filter(({ title, long }) => title.includes(only) && !(smoke && long));
  const withNewService = (each: HostileCase): Promise<Figures> =>
    withService((service) => figuresOf(service, each, seconds));
  const figures = smoke
    ? await withService((service) => oneAfterTheOther(cases, (each) => figuresOf(service, each, seconds)))
    : await oneAfterTheOther(cases, withNewService);
  for (const [index, each] of cases.entries())
    for (let time = 1; time < TIMES && faultsOf(figures[index]!, share).length > 0; time += 1)
      figures[index] = await withNewService(each);
  printTable(
    figures.map(({ title, growth, cpu, latencies }) => ({
      'hostile connections': title,
      'RSS, MiB': `+${growth.toFixed(0)}`,
      'CPU s/s': cpu.toFixed(2),
      ...Object.fromEntries(
        Object.entries(latencies).map(([probe, { p50, p95, longest }]) => [
          `${probe}, ms p50 / p95 / longest`,
          [p50, p95, longest].map((ms) => ms.toFixed(1)).join(' / '),
        ]),
      ),
    })),
  );
  writeJson('hostile-connections', { seconds, figures });
  const faults = figures.flatMap((figure) => faultsOf(figure, share));
  if (faults.length > 0) throw new Error(`beyond the limits:\n${faults.join('\n')}`);
}

async function oneAfterTheOther<T, R>(items: readonly T[], use: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await use(item));
  return results;
}
