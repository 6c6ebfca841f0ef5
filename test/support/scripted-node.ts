import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a node responds to a method: with a result, an error, or not at all ('hang'). */
type MethodResponse = string | { code: number; message: string };

const HEALTHY: Record<string, MethodResponse> = {
  eth_getTransactionCount: '0x0',
  eth_getBalance: '0xde0b6b3a7640000',
};

/** An EVM node on the loopback interface with scripted responses, for tests and benchmarks. */
export class ScriptedNode {
  /** The number of calls so far. */
  calls = 0;
  private status = 200;
  private results: Record<string, MethodResponse | undefined> = {};
  private readonly server: Server;

  private constructor(private readonly chainId: number) {
    this.be({});
    this.server = createServer((request, response) => void this.respond(request, response));
  }

  /** Starts a healthy node: it responds with its chain, a nonce of 0 and a balance of 10^18 wei. */
  static async start(chainId: number): Promise<ScriptedNode> {
    const node = new ScriptedNode(chainId);
    node.server.listen(0, '127.0.0.1');
    await once(node.server, 'listening');
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets responses by method that differ from those of a healthy node, and an HTTP status. */
  be({
    status = 200,
    ...results
  }: {
    status?: number;
    [method: string]: MethodResponse | number | undefined;
  }): void {
    this.status = status;
    const chain = { eth_chainId: `0x${this.chainId.toString(16)}` };
    this.results = { ...chain, ...HEALTHY, ...(results as Record<string, MethodResponse>) };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.calls += 1;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    if (body === '') {
      // Servers of other suites have had the same port, and their clients may still call it.
      response.writeHead(400).end();
      return;
    }
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const result = this.results[method];
    if (result === 'hang') return;
    const member = typeof result === 'string' ? { result } : { error: result };
    response.writeHead(this.status, { 'content-type': 'application/json' });
    response.end(this.status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, ...member }) : '');
  }
}
