import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The members of a response other than `jsonrpc` and `id`, or the status of an HTTP response without a body. */
type NodeResponse =
  { result: unknown } | { error: unknown; status?: number } | { status: number } | { text: string };

interface ScriptedCall {
  method: string;
  params: unknown;
}

/** An RPC node for tests. Its response to each method is set literally, and the calls are recorded. */
export class JsonRpcNode {
  readonly calls: ScriptedCall[] = [];
  /** The headers of each HTTP request. */
  readonly headers: IncomingHttpHeaders[] = [];
  /** The number of HTTP requests so far. A batch counts as one. */
  requests = 0;
  /** The response to every batch; `well` responds to each of its calls. */
  batches: 'supported' | NodeResponse = 'supported';
  private readonly responses = new Map<string, (call: ScriptedCall) => NodeResponse>();

  private constructor(private readonly server: Server) {}

  static async start(chainId: number): Promise<JsonRpcNode> {
    const server = createServer();
    const node = new JsonRpcNode(server).respondTo('eth_chainId', { result: `0x${chainId.toString(16)}` });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        // Servers of other suites have had the same port, and their clients may still call it.
        if (request.method !== 'POST' || chunks.length === 0) {
          response.writeHead(400).end();
          return;
        }
        node.headers.push(request.headers);
        const { status, text } = node.respond(Buffer.concat(chunks).toString('utf8'));
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return node;
  }

  /** `127.0.0.1:port` */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  respondTo(method: string, response: NodeResponse | ((call: ScriptedCall) => NodeResponse)): this {
    this.responses.set(method, typeof response === 'function' ? response : () => response);
    return this;
  }

  /** The calls so far, except the queries for the chain. */
  get received(): ScriptedCall[] {
    return this.calls.filter(({ method }) => method !== 'eth_chainId');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private respond(body: string): { status: number; text: string } {
    const sent = JSON.parse(body) as (ScriptedCall & { id: number }) | (ScriptedCall & { id: number })[];
    this.requests += 1;
    if (!Array.isArray(sent)) return this.respondToOne(sent);
    if (this.batches !== 'supported') return responseOf(this.batches, null);
    return { status: 200, text: `[${sent.map((call) => this.respondToOne(call).text).join()}]` };
  }

  private respondToOne({ id, method, params }: ScriptedCall & { id: number }): {
    status: number;
    text: string;
  } {
    this.calls.push({ method, params });
    const response = this.responses.get(method)?.({ method, params }) ?? {
      error: { code: -32601, message: `the method ${method} does not exist/is not available` },
    };
    return responseOf(response, id);
  }
}

function responseOf(response: NodeResponse, id: number | null): { status: number; text: string } {
  const status = 'status' in response ? (response.status ?? 200) : 200;
  if ('text' in response) return { status, text: response.text.replace('$id', String(id)) };
  if ('result' in response)
    return { status, text: JSON.stringify({ jsonrpc: '2.0', id, result: response.result }) };
  const isError = 'error' in response;
  return { status, text: isError ? JSON.stringify({ jsonrpc: '2.0', id, error: response.error }) : '' };
}
