import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy on the loopback interface, which changes what passes between clients and a server. */
export abstract class TcpProxy {
  /** The connections that clients have not closed. */
  protected readonly open = new Set<Socket>();
  private readonly server: Server;

  /** @param target the URL of the server */
  protected constructor(
    protected readonly target: URL,
    options: { allowHalfOpen?: boolean } = {},
  ) {
    this.server = createServer(options, (client) => {
      this.accept(client);
    });
  }

  /** Connects a client with the server, and keeps `open` up to date. */
  protected abstract accept(client: Socket): void;

  protected async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
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
}
