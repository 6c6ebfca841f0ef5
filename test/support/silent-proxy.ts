import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The packet of a client that contains a statement: length, sequence number 0, COM_QUERY. */
const isStatement = (packet: Buffer): boolean => packet[3] === 0 && packet[4] === 3;

/**
 * A TCP proxy to a MySQL or MariaDB whose clients can log in. From the first statement on it is silent: it neither
 * passes anything on nor closes the connection, even if the client does.
 */
export class SilentProxy {
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer({ allowHalfOpen: true }, (client) => {
      this.accept(client);
    });
  }

  /** @param url leads to the server */
  static async create(url: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  async destroy(): Promise<void> {
    for (const client of this.open) client.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    this.open.add(client);
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    upstream.on('data', (data) => client.write(data));
    client.on('data', (data) => {
      if (isStatement(data)) upstream.destroy();
      else upstream.write(data);
    });
    client.on('close', () => {
      this.open.delete(client);
      upstream.destroy();
    });
  }
}
