/** Responses of JSON-RPC nodes that are large, in every way in which JSON can be, and a node that sends them. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';

const MEBIBYTE = 1024 * 1024;
const PIECE = 64 * 1024;

const filled = (text: string, bytes: number): string =>
  text.repeat(Math.max(1, Math.floor(bytes / text.length)));
const listOf = (item: string, bytes: number): string => `[${filled(`${item},`, bytes)}${item}]`;
const nested = (open: string, close: string, bytes: number): string => {
  const depth = Math.floor(bytes / (open.length + close.length));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
};

const distinctNames = (bytes: number): string => {
  const fields: string[] = [];
  for (let i = 0; i * 14 < bytes; i += 1) fields.push(`"n${i.toString(36).padStart(8, '0')}":1`);
  return `{${fields.join()}}`;
};

const ERROR = '{"code":-32000,"message":"header not found"}';

/** Results of about this many bytes. */
const RESULTS: Record<string, (bytes: number) => string> = {
  'a long string': (bytes) => `"${filled('x', bytes)}"`,
  'a string of escapes': (bytes) => `"${filled('\\u00e9', bytes)}"`,
  'nested lists': (bytes) => nested('[', ']', bytes),
  'nested objects': (bytes) => nested('{"a":', '}', bytes),
  'small numbers': (bytes) => listOf('1', bytes),
  'empty objects': (bytes) => listOf('{}', bytes),
  'lists of 2000 levels': (bytes) => listOf(nested('[', ']', 4000), bytes),
  'distinct names': distinctNames,
  'one huge number': (bytes) => filled('9', bytes),
  'many errors': (bytes) => listOf(ERROR, bytes),
  blanks: (bytes) => `${filled(' ', bytes)}1`,
};

type Body = (id: unknown, bytes: number) => string;

const member =
  (name: string, make: (bytes: number) => string): Body =>
  (id, bytes) =>
    `{"jsonrpc":"2.0","id":${String(id)},"${name}":${make(bytes)}}`;

/** Bodies of responses to the call with an id, of about this many bytes. */
const BODIES: Record<string, Body> = {
  ...Object.fromEntries(Object.entries(RESULTS).map(([title, make]) => [title, member('result', make)])),
  'a huge error': member(
    'error',
    (bytes) => `{"code":3,"message":"reverted","data":"0x${filled('ab', bytes)}"}`,
  ),
  'a batch': (id, bytes) => listOf(`{"jsonrpc":"2.0","id":${String(id)},"result":"0x1"}`, bytes),
  'members without end': (id, bytes) => `{"id":${String(id)},${filled('"a":1,', bytes)}"result":"0x1"}`,
  'one result after the other': (id, bytes) =>
    `{"id":${String(id)},${filled('"result":1,', bytes)}"result":"0x1"}`,
  'no JSON': (_id, bytes) => filled('<p>', bytes),
};

/** How a body is sent, if not in pieces of 64 KiB. */
const IN_BYTES = 'a long string in chunks of a byte';

export const SHAPES: readonly string[] = [...Object.keys(BODIES), IN_BYTES];

interface HostileNodeOptions {
  /** One of {@link SHAPES}. */
  shape: string;
  /** The approximate size of a response. */
  bytes?: number;
  /**
   * The chain of a node on which the query for the chain, `eth_getBalance` and the like work; without it, every
   * response is hostile.
   */
  chainId?: number;
}

/** A node whose responses have one of {@link SHAPES}. */
export class HostileNode {
  /** The number of calls that have arrived. */
  received = 0;
  private readonly shape: string;
  private readonly bytes: number;
  private readonly results: Readonly<Record<string, string>>;
  private readonly server: Server;
  private text: Buffer | undefined;

  private constructor({ shape, bytes = 16 * MEBIBYTE, chainId }: HostileNodeOptions) {
    this.shape = shape;
    this.bytes = bytes;
    this.results = chainId === undefined ? {} : wellBehaved(chainId);
    this.server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        // Servers of other suites have had the same port, and their clients may still call it.
        if (body === '') response.writeHead(400).end();
        else this.respond(JSON.parse(body) as { id: unknown; method: string }, response);
      });
    });
    this.server.on('connection', (socket) => socket.on('error', () => undefined));
  }

  static async start(options: HostileNodeOptions): Promise<HostileNode> {
    const node = new HostileNode(options);
    node.server.listen(0, '127.0.0.1');
    await once(node.server, 'listening');
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private respond({ id, method }: { id: unknown; method: string }, response: ServerResponse): void {
    this.received += 1;
    response.on('error', () => undefined);
    const result = this.results[method];
    if (result !== undefined) response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    else if (this.shape === IN_BYTES) sendInBytes(response.socket, BODIES['a long string']!(id, this.bytes));
    else sendInPieces(response, this.bodyOf(id));
  }

  /** Ids differ only in a few digits, so the rest is created once. */
  private bodyOf(id: unknown): Buffer {
    const make = BODIES[this.shape]!;
    this.text ??= Buffer.from(make('"@id@"', this.bytes));
    const mark = this.text.indexOf('"@id@"');
    if (mark < 0) return this.text;
    if (this.shape === 'a batch') return Buffer.from(make(id, this.bytes));
    return Buffer.concat([
      this.text.subarray(0, mark),
      Buffer.from(String(id)),
      this.text.subarray(mark + 6),
    ]);
  }
}

const wellBehaved = (chainId: number): Record<string, string> => ({
  eth_chainId: `0x${chainId.toString(16)}`,
  eth_getBalance: '0xde0b6b3a7640000',
  eth_getTransactionCount: '0x0',
  eth_call: '0x1',
});

/** Sent without a Content-Length, so that the reader only finds out by reading how long it is. */
function sendInPieces(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const pieces = Array.from({ length: Math.ceil(body.length / PIECE) }, (_, i) =>
    body.subarray(i * PIECE, (i + 1) * PIECE),
  );
  pipeline(Readable.from(pieces, { objectMode: true }), response, () => undefined);
}

function sendInBytes(socket: Socket | null, body: string): void {
  if (!socket) return;
  const chunks = Buffer.alloc(6 * body.length, '1\r\nx\r\n');
  // Only the middle of the text consists of x.
  const middle = body.indexOf('xx');
  for (const at of [...Array(middle).keys(), body.length - 2, body.length - 1])
    chunks.write(body[at]!, 6 * at + 3, 'latin1');
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(chunks);
  socket.write('0\r\n\r\n');
}
