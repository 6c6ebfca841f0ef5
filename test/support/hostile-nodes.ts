/** RPC nodes that fail, each in one way: real servers on the loopback interface, for benchmarks and tests. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { keccak256 } from 'ethers';

/** A call that a node received. */
interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** Responds to a call to a node of a chain. `number` counts the calls to that node. */
type Respond = (socket: Socket, call: Call, chainId: string, number: number) => unknown;

interface Way {
  /** If undefined, no server listens. */
  respond?: Respond;
  /** Whether it already fails when it is queried for its chain. */
  atOnce?: boolean;
  /** Whether it costs the caller a full timeout. */
  slow?: boolean;
  /** Whether only the parsed result reveals the failure. */
  lies?: boolean;
  host?: string;
  secure?: boolean;
}

const MEGABYTE = Buffer.alloc(1 << 20, 'x');
const BEGIN = 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"jsonrpc"';

const http = (body: string, status = '200 OK', headers = ''): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

const json = (content: object): string => http(JSON.stringify({ jsonrpc: '2.0', ...content }));

/**
 * The response of a healthy node: it knows its chain, computes hashes (`web3_sha3`) and has the same balance for all
 * accounts.
 */
function well({ id, method, params }: Call, chainId: string): string {
  const results: Record<string, () => string> = {
    eth_chainId: () => chainId,
    web3_sha3: () => keccak256(params[0] as string),
    eth_getBalance: () => '0x1',
  };
  return json({ id, result: results[method]?.() ?? null });
}

const writes = (text: string): Way => ({ respond: (socket) => socket.write(text) });
const status = (text: string, headers?: string): Way => writes(http('{"message":"no"}', text, headers));
const result = (value: string): Way => ({
  respond: (socket, { id }) => socket.write(json({ id, result: value })),
});

/** Writes 200 MB as fast as the other side reads. */
function flood(socket: Socket, head: string): void {
  let left = 200;
  const pour = (): void => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(MEGABYTE)) return;
    }
  };
  socket.on('drain', pour).write(head);
  pour();
}

function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), 1000);
  socket.once('close', () => {
    clearInterval(timer);
  });
  socket.write(BEGIN);
}

/** The ways in which nodes fail. */
export const WAYS: Readonly<Record<string, Way>> = {
  'refuses connections': { atOnce: true },
  'has a name that does not resolve': { atOnce: true, host: 'nowhere.invalid' },
  'has a certificate that does not fit': { atOnce: true, secure: true, respond: (socket) => socket.end() },
  'serves another chain': {
    atOnce: true,
    respond: (socket, call) =>
      socket.write(json({ id: call.id, result: call.method === 'eth_chainId' ? '0x7' : '0xbad' })),
  },
  'drops the connection': { respond: (socket) => socket.destroy() },
  'resets in mid-response': { respond: (socket) => socket.write(BEGIN, () => socket.resetAndDestroy()) },
  'ends after half a body': { respond: (socket) => socket.end(BEGIN) },
  hangs: { slow: true, respond: () => undefined },
  'hangs in mid-response': { slow: true, respond: (socket) => socket.write(BEGIN) },
  'sends a byte a second': { slow: true, respond: drip },
  'responds with 408': status('408 Request Timeout'),
  'responds with 429': status('429 Too Many Requests'),
  'responds with 429 with Retry-After': status('429 Too Many Requests', 'Retry-After: 5\r\n'),
  'responds with 500': status('500 Internal Server Error'),
  'responds with 502': status('502 Bad Gateway'),
  'responds with 503': status('503 Service Unavailable', 'Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n'),
  'responds with 401': status('401 Unauthorized'),
  'responds with 403': status('403 Forbidden'),
  'responds with 404': status('404 Not Found'),
  'responds with 410': status('410 Gone'),
  redirects: status('307 Temporary Redirect', 'Location: http://169.254.169.254/latest\r\n'),
  'responds with HTML': writes(http('<!doctype html><title>Sign in</title>')),
  'responds with wrong JSON': writes(http('{"jsonrpc":"2.0","id":1,"result":0x1}')),
  'responds with nothing': writes(http('')),
  'responds to another id': {
    respond: (socket, { id }) => socket.write(json({ id: id + 1, result: '0xbad' })),
  },
  'sends 200 MB': {
    respond: (socket) => {
      flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n');
    },
  },
  'sends 200 MB without a length': {
    respond: (socket) => {
      flood(socket, 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
    },
  },
  'nests without end': {
    respond: (socket, { id }) =>
      socket.write(http(`{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)),
  },
  'is rate limited by JSON-RPC': {
    respond: (socket, { id }) =>
      socket.write(json({ id, error: { code: -32005, message: 'daily request count exceeded' } })),
  },
  'has 10^80 of everything': { lies: true, ...result(`0x${(10n ** 80n).toString(16)}`) },
  'has negative numbers': { lies: true, ...result('-0x1') },
  'fails every second call': {
    respond: (socket, call, chainId, number) =>
      socket.write(number % 2 === 0 ? http('', '502 Bad Gateway') : well(call, chainId)),
  },
};

const HEALTHY: Way = { respond: (socket, call, chainId) => socket.write(well(call, chainId)) };

interface RpcNodeOptions {
  /** One of {@link WAYS}; by default, the node is healthy. */
  way?: string;
  chainId?: number;
  /** Whether it responds to `eth_chainId` correctly, and fails for everything else. */
  tellsChain?: boolean;
}

/** A healthy node, or one that fails in one of {@link WAYS}. */
export class RpcNode {
  /** The number of calls that have arrived. */
  received = 0;
  /** The number of those that did not just query its chain. */
  others = 0;
  private readonly way: Way;
  private readonly chainId: string;
  private readonly tellsChain: boolean;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private port = 0;

  private constructor({ way, chainId = 1, tellsChain = false }: RpcNodeOptions) {
    this.way = way === undefined ? HEALTHY : WAYS[way]!;
    this.chainId = `0x${chainId.toString(16)}`;
    this.tellsChain = tellsChain && !this.way.atOnce;
    const onConnection = (socket: Socket): void => {
      this.serve(socket);
    };
    this.server = this.way.secure ? tls.createServer(selfSigned(), onConnection) : createServer(onConnection);
    this.server.on('tlsClientError', () => undefined);
  }

  static async start(options: RpcNodeOptions = {}): Promise<RpcNode> {
    const node = new RpcNode(options);
    node.server.listen(0, '127.0.0.1');
    await once(node.server, 'listening');
    node.port = (node.server.address() as AddressInfo).port;
    if (!node.way.respond) await node.close();
    return node;
  }

  get url(): string {
    return `${this.way.secure ? 'https' : 'http'}://${this.way.host ?? '127.0.0.1'}:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.server.listening) return;
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let received = '';
    socket
      .on('close', () => this.sockets.delete(socket))
      .on('error', () => undefined)
      .on('data', (data) => {
        received += data.toString('latin1');
        const end = received.indexOf('\r\n\r\n') + 4;
        if (end < 4 || received.length < end + Number(/content-length: (\d+)/i.exec(received)![1])) return;
        const call = JSON.parse(received.slice(end)) as Call;
        received = '';
        this.respond(socket, call);
      });
  }

  private respond(socket: Socket, call: Call): void {
    this.received += 1;
    if (call.method !== 'eth_chainId') this.others += 1;
    const { respond } = this.tellsChain && call.method === 'eth_chainId' ? HEALTHY : this.way;
    respond!(socket, call, this.chainId, this.received);
  }
}

let certificate: string | undefined;

/** A certificate for another name, from an unknown authority. */
function selfSigned(): { key: string; cert: string } {
  const subject = ['-subj', '/CN=other.test', '-addext', 'subjectAltName=DNS:other.test'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-'];
  certificate ??= execFileSync('openssl', ['req', '-x509', ...key, '-out', '-', ...subject], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
  });
  return { key: certificate, cert: certificate };
}
