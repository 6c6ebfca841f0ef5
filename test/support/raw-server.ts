import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Responds to a request. `number` counts the requests on the connection, from 1. */
export type RawResponse = (socket: Socket, request: string, number: number) => void;

/** A TCP server that responds literally as a test specifies. */
export class RawServer {
  readonly sockets: Socket[] = [];
  readonly requests: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(response: RawResponse, { host = '127.0.0.1', port = 0 } = {}): Promise<RawServer> {
    const server = createServer();
    const raw = new RawServer(server);
    server.on('connection', (socket) => {
      raw.sockets.push(socket);
      let number = 0;
      let received = '';
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          received += data.toString('latin1');
          const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
          const end = received.indexOf('\r\n\r\n');
          if (end < 0 || received.length < end + 4 + length) return;
          raw.requests.push(received);
          number += 1;
          const request = received;
          received = '';
          response(socket, request, number);
        });
    });
    server.listen(port, host);
    await once(server, 'listening');
    return raw;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get open(): number {
    return this.sockets.filter((socket) => !socket.destroyed).length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A complete HTTP/1.1 response that keeps the connection alive. */
export function rawResponse(body: string, status = '200 OK', headers = ''): string {
  return `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
}
