/**
 * Measures the service while a node of one network sends responses of 16 MiB, or of the largest size that is forwarded,
 * in each form: how long its event loop is blocked, how much its memory grows, and whether a relayer on another network
 * can sign meanwhile. Its heap is limited to 256 MiB. Fails if a signature fails, or if delay or growth exceed their
 * limits.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostileNode, SHAPES } from '../../test/support/hostile-responses';
import { residentMegabytes } from '../process';
import { printTable, writeJson } from '../report';
import { BenchedService } from '../service';

const LOOP_WATCH = join(__dirname, '../loop-watch.cjs');
const MEBIBYTE = 1024 * 1024;
const CHAIN_ID = 7;
/** Just below `RPC_MAX_RESPONSE_BYTES`. */
const PASSED_ON = 7.9 * MEBIBYTE;
const CALLERS = 4;
const WARM_UP_CALLS = 3000;
/**
 * A case beyond the limit is repeated: a delay that the service causes occurs each time, one that the machine causes
 * does not.
 */
const TIMES = 5;

const MAX_HOLD_MS = 50;
const MAX_GROWTH_MIB = 64;

const HASHES = { domain_separator: '11'.repeat(32), hash_struct_message: '22'.repeat(32) };

class Case {
  constructor(
    private readonly service: BenchedService,
    private readonly name: string,
  ) {}

  /** Adds a network with this as its only endpoint, and a relayer on it. */
  async add({ url }: HostileNode): Promise<void> {
    const { service, name } = this;
    const network = { name, network_type: 'evm', chain_id: CHAIN_ID, rpc_urls: [url], rpc_methods: ['read'] };
    await service.post('/api/v1/networks', network);
    const config = { key: '5e'.repeat(31) + Buffer.from([Number(name.replace(/\D/g, ''))]).toString('hex') };
    await service.post('/api/v1/signers', { id: name, type: 'plain', config });
    await service.post('/api/v1/relayers', {
      id: name,
      name,
      network: name,
      network_type: 'evm',
      signer_id: name,
      paused: false,
    });
  }

  rpc(body: object): Promise<unknown> {
    return call(this.service, `/api/v1/relayers/${this.name}/rpc`, body);
  }
}

async function call({ url, headers }: BenchedService, path: string, body: object): Promise<unknown> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.arrayBuffer();
}

const sign = (service: BenchedService): Promise<void> =>
  service.post(`/api/v1/relayers/${service.relayerIds[0]!}/sign-typed-data`, HASHES);

/** The peak memory of the process since the last call, in MiB. */
function peakMegabytes(pid: number): number {
  if (!existsSync('/proc/self/status')) return residentMegabytes(pid);
  const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peak;
}

async function longestHold({ process: { child } }: BenchedService): Promise<number> {
  child.send('own');
  const [milliseconds] = (await once(child, 'message')) as [number];
  return milliseconds;
}

/** Does what a service in use does: forwards small responses of a healthy node, and signs. */
async function warmUp(service: BenchedService, well: Case): Promise<void> {
  for (let i = 0; i < WARM_UP_CALLS; i += 20) {
    const calls = Array.from({ length: 10 }, (_, j) =>
      well.rpc({ method: 'eth_call', params: [`${i + j}`] }),
    );
    await Promise.all([...calls, ...Array.from({ length: 10 }, () => sign(service))]);
  }
}

/**
 * Makes calls of several callers and a batch, while another relayer signs. @returns the duration of the slowest
 * signature in milliseconds
 */
async function provoke(service: BenchedService, hostile: Case, number: number): Promise<number> {
  const over = new AbortController();
  const signing = (async () => {
    let slowest = 0;
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      await sign(service);
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
    return slowest;
  })();
  const logs = (key: number | string): object => ({ method: 'eth_getLogs', params: [`${number}-${key}`] });
  await Promise.all([
    ...Array.from({ length: CALLERS }, (_, caller) => hostile.rpc(logs(caller))),
    hostile.rpc([logs('a'), logs('b')]),
  ]);
  over.abort();
  return signing;
}

interface Measured {
  title: string;
  hold: number;
  growth: number;
  slowest: number;
}

export async function hostileNodes({ smoke = false } = {}): Promise<void> {
  const shapes = SHAPES.flatMap((shape) =>
    [16 * MEBIBYTE, PASSED_ON].map((bytes) => ({ shape, bytes, toChain: false })),
  ).concat(SHAPES.map((shape) => ({ shape, bytes: 16 * MEBIBYTE, toChain: true })));
  const chosen = smoke ? shapes.filter((_, index) => index % 7 === 0) : shapes;
  const nodes: HostileNode[] = [];
  const service = await BenchedService.create({
    preload: LOOP_WATCH,
    // The young generation has its full size from the start, so that only what responses need counts as growth.
    nodeOptions: ['--max-old-space-size=256', '--min-semi-space-size=32'],
    settings: { OUTBOUND_ALLOW: '127.0.0.1', RELAYER_CHECK_INTERVAL_SECONDS: '1' },
  });
  const rows: Measured[] = [];
  try {
    const start = async (options: Parameters<typeof HostileNode.start>[0]): Promise<HostileNode> => {
      const node = await HostileNode.start(options);
      nodes.push(node);
      return node;
    };
    const well = new Case(service, 'n0');
    await well.add(await start({ shape: SHAPES[0]!, chainId: CHAIN_ID }));
    await warmUp(service, well);
    peakMegabytes(service.pid);
    const before = residentMegabytes(service.pid);
    for (const [index, { shape, bytes, toChain }] of chosen.entries()) {
      const hostile = new Case(service, `n${index + 1}`);
      const node = await start({ shape, bytes, ...(!toChain && { chainId: CHAIN_ID }) });
      await hostile.add(node);
      const holds: number[] = [];
      let slowest = 0;
      for (let time = 0; time < TIMES && Math.min(...holds) > MAX_HOLD_MS; time += 1) {
        await longestHold(service);
        slowest = Math.max(slowest, await provoke(service, hostile, time));
        holds.push(await longestHold(service));
      }
      const size = `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
      rows.push({
        title: `${shape}, ${size}${toChain ? ' for its chain too' : ''}`,
        hold: Math.min(...holds),
        growth: peakMegabytes(service.pid) - before,
        slowest,
      });
      await node.close();
    }
  } finally {
    await service.destroy();
    for (const node of nodes) await node.close();
  }
  report(rows);
}

function report(rows: Measured[]): void {
  printTable(
    rows.map(({ title, hold, growth, slowest }) => ({
      'while a node responds with': title,
      'ms of the event loop': hold.toFixed(1),
      'MiB grown since before all': growth.toFixed(0),
      'slowest signature, ms': slowest.toFixed(0),
    })),
  );
  writeJson('hostile-nodes', { rows });
  const longest = (figure: (row: Measured) => number): number => Math.max(...rows.map(figure));
  check(
    'ms of the event loop',
    longest(({ hold }) => hold),
    MAX_HOLD_MS,
  );
  check(
    'MiB of growth',
    longest(({ growth }) => growth),
    MAX_GROWTH_MIB,
  );
}

function check(what: string, figure: number, limit: number): void {
  console.log(`most ${what}: ${figure.toFixed(1)} of ${limit}`);
  if (figure > limit) {
    console.error(`hostile nodes: ${figure.toFixed(1)} ${what}, at most ${limit} are allowed`);
    process.exitCode = 1;
  }
}
