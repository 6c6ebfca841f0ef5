/** RPC nodes that fail, each in one way: real servers on the loopback interface. Bench and tests share them. */
const { Buffer } = require('node:buffer');
const { execFileSync } = require('node:child_process');
const { createServer } = require('node:net');
const { clearInterval, setInterval } = require('node:timers');
const tls = require('node:tls');
const { keccak256 } = require('ethers');

const MEGABYTE = Buffer.alloc(1 << 20, 'x');
const BEGIN = 'HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"jsonrpc"';

const http = (body, status = '200 OK', headers = '') =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;

const json = (content, status) => http(JSON.stringify({ jsonrpc: '2.0', ...content }), status);

/** A node that is well: it knows its chain, hashes (`web3_sha3`) and has one balance for all. */
function well({ id, method, params }, chainId) {
  const results = {
    eth_chainId: () => chainId,
    web3_sha3: () => keccak256(params[0]),
    eth_getBalance: () => '0x1',
  };
  return json({ id, result: results[method]?.() ?? null });
}

const says = (text) => ({ answer: (socket) => socket.write(text) });
const status = (text, headers) => says(http('{"message":"no"}', text, headers));
const result = (value) => ({ answer: (socket, { id }) => socket.write(json({ id, result: value })) });

/** Writes 200 MB as fast as the other side takes them. */
function flood(socket, head) {
  let left = 200;
  const pour = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(MEGABYTE)) return;
    }
  };
  socket.on('drain', pour).write(head);
  pour();
}

function drip(socket) {
  const timer = setInterval(() => socket.write('x'), 1000);
  socket.on('close', () => clearInterval(timer)).write(BEGIN);
}

/**
 * How nodes fail. `slow`: it costs the caller a whole time-out; `lies`: only who reads a quantity can tell; `atOnce`: it
 * fails before or in telling its chain.
 */
const WAYS = {
  'refuses connections': { atOnce: true },
  'has a name that does not resolve': { atOnce: true, host: 'nowhere.invalid' },
  'has a certificate that does not fit': { atOnce: true, secure: true, answer: (socket) => socket.end() },
  'serves another chain': {
    atOnce: true,
    answer: (socket, call) =>
      socket.write(json({ id: call.id, result: call.method === 'eth_chainId' ? '0x7' : '0xbad' })),
  },
  'drops the connection': { answer: (socket) => socket.destroy() },
  'resets in mid-answer': { answer: (socket) => socket.write(BEGIN, () => socket.resetAndDestroy()) },
  'ends after half a body': { answer: (socket) => socket.end(BEGIN) },
  hangs: { slow: true, answer: () => undefined },
  'hangs in mid-answer': { slow: true, answer: (socket) => socket.write(BEGIN) },
  'sends a byte a second': { slow: true, answer: drip },
  'answers 408': status('408 Request Timeout'),
  'answers 429': status('429 Too Many Requests'),
  'answers 429 with Retry-After': status('429 Too Many Requests', 'Retry-After: 5\r\n'),
  'answers 500': status('500 Internal Server Error'),
  'answers 502': status('502 Bad Gateway'),
  'answers 503': status('503 Service Unavailable', 'Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n'),
  'answers 401': status('401 Unauthorized'),
  'answers 403': status('403 Forbidden'),
  'answers 404': status('404 Not Found'),
  'answers 410': status('410 Gone'),
  redirects: status('307 Temporary Redirect', 'Location: http://169.254.169.254/latest\r\n'),
  'answers HTML': says(http('<!doctype html><title>Sign in</title>')),
  'answers wrong JSON': says(http('{"jsonrpc":"2.0","id":1,"result":0x1}')),
  'answers nothing': says(http('')),
  'answers to another id': {
    answer: (socket, { id }) => socket.write(json({ id: id + 1, result: '0xbad' })),
  },
  'sends 200 MB': {
    answer: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n'),
  },
  'sends 200 MB without a length': {
    answer: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'),
  },
  'nests without end': {
    answer: (socket, { id }) =>
      socket.write(http(`{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)),
  },
  'is rate limited by JSON-RPC': {
    answer: (socket, { id }) =>
      socket.write(json({ id, error: { code: -32005, message: 'daily request count exceeded' } })),
  },
  'has 10^80 of everything': { lies: true, ...result(`0x${(10n ** 80n).toString(16)}`) },
  'has negative numbers': { lies: true, ...result('-0x1') },
  'fails every second call': {
    answer: (socket, call, chainId, number) =>
      socket.write(number % 2 === 0 ? http('', '502 Bad Gateway') : well(call, chainId)),
  },
};

const WELL = { answer: (socket, call, chainId) => socket.write(well(call, chainId)) };

class RpcNode {
  /**
   * @param way one of {@link WAYS}; a node that is well where it is left out
   * @param tellsChain it answers `eth_chainId` as it should, and fails at everything else
   */
  static async start({ way, chainId = 1, tellsChain = false } = {}) {
    const node = new RpcNode();
    node.way = way === undefined ? WELL : WAYS[way];
    node.chainId = `0x${chainId.toString(16)}`;
    node.tellsChain = tellsChain && !node.way.atOnce;
    node.sockets = new Set();
    node.asked = 0;
    node.others = 0;
    const onConnection = (socket) => node.serve(socket);
    node.server = node.way.secure ? tls.createServer(selfSigned(), onConnection) : createServer(onConnection);
    node.server.on('tlsClientError', () => undefined);
    await new Promise((resolve) => node.server.listen(0, '127.0.0.1', resolve));
    node.port = node.server.address().port;
    if (!node.way.answer) await node.close();
    return node;
  }

  get url() {
    return `${this.way.secure ? 'https' : 'http'}://${this.way.host ?? '127.0.0.1'}:${this.port}`;
  }

  async close() {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  serve(socket) {
    this.sockets.add(socket);
    let received = '';
    socket
      .on('close', () => this.sockets.delete(socket))
      .on('error', () => undefined)
      .on('data', (data) => {
        received += data.toString('latin1');
        const end = received.indexOf('\r\n\r\n') + 4;
        if (end < 4 || received.length < end + Number(/content-length: (\d+)/i.exec(received)[1])) return;
        const call = JSON.parse(received.slice(end));
        received = '';
        this.answer(socket, call);
      });
  }

  answer(socket, call) {
    this.asked += 1;
    if (call.method !== 'eth_chainId') this.others += 1;
    const { answer } = this.tellsChain && call.method === 'eth_chainId' ? WELL : this.way;
    answer(socket, call, this.chainId, this.asked);
  }
}

let certificate;

/** Of a name and an authority that nobody knows. */
function selfSigned() {
  const subject = ['-subj', '/CN=other.test', '-addext', 'subjectAltName=DNS:other.test'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-'];
  certificate ??= execFileSync('openssl', ['req', '-x509', ...key, '-out', '-', ...subject], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 20_000,
  });
  return { key: certificate, cert: certificate };
}

module.exports = { RpcNode, WAYS };
