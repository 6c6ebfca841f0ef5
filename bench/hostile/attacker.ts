/**
 * The clients of a hostile case, in a process of their own, so that what they cost does not delay the probes:
 * `attacker.ts <port> <case> <connections> <token> <port of node>`. A connection that the service closes is opened
 * again within two seconds. It also is the RPC node of the relayer `bench-rpc`, whose responses are large.
 */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { brotliCompressSync } from 'node:zlib';

/** At most; spread out, so that they do not all come at once again. */
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
  /** Bodies of 1 MiB that are announced and sent, by nobody who has a token. */
  bodies(socket) {
    socket.write(head(`POST ${SIGN}`, { 'Content-Type': 'application/json', 'Content-Length': 1024 * 1024 }));
    socket.write(Buffer.alloc(1024 * 1024, 0x20));
  },
  /** Large responses to a valid token, which nobody reads. */
  unread(socket) {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': batch.length,
    };
    for (let i = 0; i < 20; i += 1) socket.write(head(`POST ${SIGN}/batch`, headers) + batch);
  },
  /** Large responses of a node, passed on to a valid token, which nobody reads. */
  rpc(socket) {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': call.length,
    };
    socket.write(head('POST /api/v1/relayers/bench-rpc/rpc', headers) + call);
  },
  /** The largest page that needs no token. */
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
