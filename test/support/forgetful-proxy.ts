import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy that can forget connections, as gateways do: their packets vanish, and neither end learns of it. */
export class ForgetfulProxy {
  /** The number of connections that were ever opened. */
  opened = 0;
  /** The open connections, the one that was used last at the end. */
  private readonly open = new Set<Socket>();
  private readonly forgotten = new WeakSet<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((client) => {
      this.accept(client);
    });
  }

  /** @param url leads to the server whose connections are passed through */
  static async create(url: string): Promise<ForgetfulProxy> {
    const proxy = new ForgetfulProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** The number of connections that the client has not closed. */
  get connections(): number {
    return this.open.size;
  }

  /** Forgets all connections but the one that was used last. */
  forgetIdle(): void {
    for (const client of [...this.open].slice(0, -1)) this.forgotten.add(client);
  }

  async destroy(): Promise<void> {
    for (const client of this.open) client.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    this.opened += 1;
    const upstream = connect(Number(this.target.port), this.target.hostname);
    this.pass(client, upstream, client);
    this.pass(upstream, client, client);
    client.on('close', () => {
      this.open.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => {
      if (!this.forgotten.has(client)) client.end();
    });
  }

  private pass(from: Socket, to: Socket, client: Socket): void {
    from.on('error', () => undefined);
    from.on('data', (data) => {
      if (this.forgotten.has(client)) return;
      this.open.delete(client);
      this.open.add(client);
      to.write(data);
    });
  }
}
