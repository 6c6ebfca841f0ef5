import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** How often the readiness of each instance is probed; Kubernetes does so every few seconds. */
const PROBE_INTERVAL_MS = 100;
const PROBE_TIMEOUT_MS = 1_000;

interface Backend {
  readonly url: string;
  readonly agent: Agent;
  isReady: boolean;
}

/**
 * Distributes requests like a Kubernetes Service or a load balancer: in turn, among the instances whose `/v1/ready` is
 * 200, except those that were taken out. If the connection breaks before there is a response, the request fails with
 * 502 unless `repeats` is true; then it is sent to another instance, which is safe for requests that may be executed
 * twice.
 */
export class ReadyProxy {
  repeats = false;
  /** The number of requests that were sent to a second instance. */
  repeated = 0;
  private readonly backends: Backend[] = [];
  private next = 0;
  private readonly probes: NodeJS.Timeout;

  private constructor(private readonly server: Server) {
    server.on('request', (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        this.pass(incoming, outgoing, Buffer.concat(chunks), []);
      });
    });
    this.probes = setInterval(() => {
      for (const backend of this.backends) this.probe(backend);
    }, PROBE_INTERVAL_MS);
  }

  static async start(): Promise<ReadyProxy> {
    const server = createServer();
    const proxy = new ReadyProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get ready(): string[] {
    return this.backends.filter(({ isReady }) => isReady).map(({ url }) => url);
  }

  add(url: string): void {
    this.backends.push({ url, agent: new Agent({ keepAlive: true, maxSockets: 64 }), isReady: false });
  }

  /** Stops sending requests to an instance; those in progress continue. */
  takeOut(url: string): void {
    const index = this.backends.findIndex((backend) => backend.url === url);
    if (index >= 0) this.backends.splice(index, 1);
  }

  async close(): Promise<void> {
    clearInterval(this.probes);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    for (const { agent } of this.backends) agent.destroy();
  }

  private probe(backend: Backend): void {
    const probe = request(`${backend.url}/v1/ready`, { timeout: PROBE_TIMEOUT_MS }, (response) => {
      response.resume();
      backend.isReady = response.statusCode === 200;
    });
    probe.on('timeout', () => probe.destroy(new Error('timeout')));
    probe.on('error', () => (backend.isReady = false));
    probe.end();
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer, tried: Backend[]): void {
    const candidates = this.backends.filter((backend) => backend.isReady && !tried.includes(backend));
    this.next += 1;
    const backend = candidates[this.next % candidates.length];
    if (!backend) {
      outgoing.writeHead(503).end();
      return;
    }
    const { method, headers, url = '/' } = incoming;
    const call = request(
      backend.url + url,
      { method: method ?? 'GET', headers: endToEnd(headers), agent: backend.agent },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, endToEnd(response.headers));
        response.on('error', () => outgoing.destroy());
        response.pipe(outgoing);
      },
    );
    call.on('error', () => {
      if (outgoing.headersSent) return;
      if (this.repeats) {
        this.repeated += 1;
        this.pass(incoming, outgoing, body, [...tried, backend]);
      } else outgoing.writeHead(502).end();
    });
    call.end(body);
  }
}

/** Removes headers that concern only a single connection. */
const endToEnd = (headers: IncomingHttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'connection' && name !== 'keep-alive'),
  );
