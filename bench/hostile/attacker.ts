/**
 * The clients of a hostile case, in a process of their own so that their cost does not delay the probes: `attacker.ts
 * <port> <case> <connections> <token> <port of node>`. A connection that the service closes is reopened within two
 * seconds. The process is also the RPC node of the relayer `bench-rpc`, with large responses.
 */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

/** The maximum delay; random, so that connections are not all reopened at the same time. */
const AGAIN_MS = 2000;
const SIGN = '/api/v1/relayers/bench-0/sign-typed-data';
const [port, name = '', connections, token = '', nodePort] = process.argv.slice(2);

const head = (line: string, headers: Record<string, string | number> = {}): string =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
    '',
    '',
  ].join('\r\n');

/** Decompresses to 64 MiB. */
const bomb = brotliCompressSync(Buffer.alloc(64 * 1024 * 1024));

const batch = JSON.stringify({
  items: Array(1000).fill({ domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) }),
});

const call = JSON.stringify({ method: 'eth_call', params: [{}, 'latest'] });

const CHAIN_ID = JSON.stringify('0x67932');
const LARGE = JSON.stringify('0x' + 'ab'.repeat(3.5 * 1024 * 1024));

const CASES: Record<string, (socket: Socket) => void> = {
  bombs(socket) {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Encoding': 'br',
      'Content-Length': bomb.length,
    };
    socket.write(head(`POST ${SIGN}`, headers));
    socket.write(bomb);
  },
  /** One byte of a header every half second. */
  trickle(socket) {
    socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), 500);
    socket.once('close', () => {
      clearInterval(timer);
    });
  },
  /** Announces and sends bodies of 1 MiB, without a token. */
  bodies(socket) {
    socket.write(head(`POST ${SIGN}`, { 'Content-Type': 'application/json', 'Content-Length': 1024 * 1024 }));
    socket.write(Buffer.alloc(1024 * 1024, 0x20));
  },
  /** Requests large responses with a valid token, and does not read them. */
  unread(socket) {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': batch.length,
    };
    for (let i = 0; i < 20; i += 1) socket.write(head(`POST ${SIGN}/batch`, headers) + batch);
  },
  /** Requests large responses of a node with a valid token, and does not read them. */
  rpc(socket) {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': call.length,
    };
    socket.write(head('POST /api/v1/relayers/bench-rpc/rpc', headers) + call);
  },
  /** Requests the largest page that requires no token. */
  pages(socket) {
    for (let i = 0; i < 60; i += 1) socket.write(head('GET /api-docs/openapi.json'));
  },
};

const READS = new Set(['bombs', 'trickle', 'bodies']);

function open(): void {
  const socket = connect(Number(port), '127.0.0.1', () => {
    CASES[name]!(socket);
  });
  socket.on('error', () => undefined);
  if (READS.has(name)) socket.on('data', () => undefined);
  else socket.pause();
  socket.once('close', () => setTimeout(open, Math.random() * AGAIN_MS));
}

createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    const { id, method } = JSON.parse(text);
    const result = method === 'eth_call' ? LARGE : CHAIN_ID;
    response.setHeader('Content-Type', 'application/json');
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  });
}).listen(Number(nodePort), '127.0.0.1', () => process.send?.('ready'));

process.once('message', () => {
  for (let i = 0; i < Number(connections); i += 1) open();
});
process.once('disconnect', () => process.exit());
