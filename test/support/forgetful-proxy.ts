import { connect, type Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy';

/** A TCP proxy that can forget connections, as gateways do: their packets vanish, and neither end learns of it. */
export class ForgetfulProxy extends TcpProxy {
  /** The number of connections that were ever opened. */
  opened = 0;
  private readonly forgotten = new WeakSet<Socket>();

  /** @param url leads to the server whose connections are passed through */
  static create(url: string): Promise<ForgetfulProxy> {
    return new ForgetfulProxy(new URL(url)).listen();
  }

  /** The number of connections that the client has not closed. */
  get connections(): number {
    return this.open.size;
  }

  /** Forgets all connections but the one that was used last, which is the last of `open`. */
  forgetIdle(): void {
    for (const client of [...this.open].slice(0, -1)) this.forgotten.add(client);
  }

  protected accept(client: Socket): void {
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
