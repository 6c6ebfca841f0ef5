import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; event: string; payload: { payload_type: string }; timestamp: string };
}

/** A receiver of webhooks that responds as a test specifies. */
export class Receiver {
  readonly received: Received[] = [];
  /** Responds with 200, unless a test replaces it. */
  respond: (response: ServerResponse) => void = (response) => response.end('thanks');

  private constructor(private readonly server: Server) {}

  /** @param port a free one by default */
  static async start(port = 0): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8');
        receiver.received.push({ headers: request.headers, body, event: JSON.parse(body) });
        receiver.respond(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Responds with this status and body from now on. */
  respondWith(status: number, body = '', headers: Record<string, string> = {}): void {
    this.respond = (response) => response.writeHead(status, headers).end(body);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
