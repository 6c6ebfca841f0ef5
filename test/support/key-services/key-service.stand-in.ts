import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a key service fails. The subclasses implement the last two. */
export type Fault =
  | { delayMs: number }
  | { until: Promise<unknown> }
  | { status: number; body: string | object; headers?: Record<string, string> }
  | 'empty'
  | 'html'
  | 'huge'
  | 'close'
  | 'wrong key'
  | 'truncated';

export interface ServiceResponse {
  status: number;
  body: object;
}

const HTML = '<!doctype html><html><body>502 Bad Gateway</body></html>';
const HUGE_BYTES = 10 * 1024 * 1024;

/**
 * A key service on the loopback interface that implements a vendor's protocol, actually signs, and fails on request.
 */
export abstract class KeyServiceStandIn {
  /** The requests so far, each with its method and path, or its operation. */
  readonly requests: string[] = [];
  protected readonly contentType: string = 'application/json';
  readonly #server: Server;
  #fault: Fault | undefined;
  #faultsLeft = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.serve(request, response));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Makes requests fail in the given way from now on, or only a number of them. */
  misbehave(fault: Fault, times = Infinity): void {
    this.#fault = fault;
    this.#faultsLeft = times;
  }

  /** Responds to no requests until the returned function is called. */
  hold(): () => void {
    let release!: () => void;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.misbehave({ until });
    this.requests.length = 0;
    return release;
  }

  behave(): void {
    this.#faultsLeft = 0;
    this.requests.length = 0;
  }

  protected abstract name(request: IncomingMessage): string;

  protected abstract respond(
    request: IncomingMessage,
    body: string,
    fault: Fault | undefined,
  ): ServiceResponse;

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(this.name(request));
    const fault = this.#faultsLeft > 0 ? this.#fault : undefined;
    this.#faultsLeft -= 1;
    const body = await text(request);
    if (typeof fault === 'object' && 'delayMs' in fault)
      await sleep(fault.delayMs, undefined, { ref: false });
    if (typeof fault === 'object' && 'until' in fault) await fault.until;
    if (fault === 'close') request.socket.destroy();
    else if (fault === 'html') this.send(response, 200, HTML, { 'content-type': 'text/html' });
    else if (fault === 'empty') this.send(response, 200, '');
    else if (fault === 'huge') this.send(response, 200, JSON.stringify({ padding: 'x'.repeat(HUGE_BYTES) }));
    else if (typeof fault === 'object' && 'status' in fault) {
      this.send(
        response,
        fault.status,
        typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body),
        { 'content-type': this.contentType, ...fault.headers },
      );
    } else {
      const result = this.respond(request, body, fault);
      this.send(response, result.status, JSON.stringify(result.body));
    }
  }

  private send(
    response: ServerResponse,
    status: number,
    body: string,
    headers: Record<string, string> = { 'content-type': this.contentType },
  ): void {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  }
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
