import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type SecureVersion, type Server, type TLSSocket } from 'node:tls';
import type { Certificate } from './certificates';

/** How a collector ends a connection that its client has ended. */
export type CollectorEnd =
  /** It stores the messages first, as RFC 5425 requires. */
  | 'close_notify'
  /** As one that loses what it has read. */
  | 'fin'
  | 'reset';

/** A receiver of syslog over TLS (RFC 5425) that reads as a test specifies. */
export class SyslogCollector {
  /** The messages of connections that were closed cleanly. */
  readonly messages: string[] = [];
  /** Whether it accepts connections without reading from them. */
  hangs = false;
  endsWith: CollectorEnd = 'close_notify';
  /** The bytes that were read, whether or not they were stored. */
  bytesRead = 0;
  private readonly sockets = new Set<TLSSocket>();
  /** The connections below TLS by remote port. */
  private readonly connections = new Map<number | undefined, Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (connection: Socket) => this.connections.set(connection.remotePort, connection));
    server.on('secureConnection', (socket) => {
      this.accept(socket);
    });
  }

  static async start(certificate: Certificate, maxVersion?: SecureVersion): Promise<SyslogCollector> {
    const server = createServer({ ...certificate, maxVersion });
    const collector = new SyslogCollector(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return collector;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: TLSSocket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    if (this.hangs) return;
    const connection = this.connections.get(socket.remotePort);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
      chunks.push(chunk);
    });
    socket.on('end', () => {
      if (this.endsWith === 'fin') connection?.destroy();
      else if (this.endsWith === 'reset') connection?.resetAndDestroy();
      else {
        this.messages.push(...framesOf(Buffer.concat(chunks)));
        socket.end();
      }
    });
  }
}

/** Splits `MSG-LEN SP SYSLOG-MSG …`, independently of how the service builds it. */
function framesOf(bytes: Buffer): string[] {
  const frames: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('ascii', at, space));
    if (!Number.isInteger(length) || space + 1 + length > bytes.length) throw new Error('A bad frame');
    frames.push(bytes.toString('utf8', space + 1, space + 1 + length));
    at = space + 1 + length;
  }
  return frames;
}
