import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Certificate } from './certificates';

/** A receiver of syslog over TLS (RFC 5425) that reads as a test specifies. */
export class SyslogCollector {
  /** The messages of connections that were closed cleanly. */
  readonly messages: string[] = [];
  /** Whether it accepts connections without reading from them. */
  hangs = false;
  private readonly sockets = new Set<TLSSocket>();

  private constructor(private readonly server: Server) {
    server.on('secureConnection', (socket) => {
      this.accept(socket);
    });
  }

  static async start(certificate: Certificate): Promise<SyslogCollector> {
    const server = createServer(certificate);
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
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      this.messages.push(...framesOf(Buffer.concat(chunks)));
      socket.end();
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
