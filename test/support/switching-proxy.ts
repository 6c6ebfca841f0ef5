import { connect, type Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy';

/** A TCP proxy whose new connections lead to another server after a switchover; open ones stay where they are. */
export class SwitchingProxy extends TcpProxy {
  /** The number of connections that were ever opened. */
  opened = 0;
  private current = Number(this.target.port);

  /** @param url leads to the first server */
  static create(url: string): Promise<SwitchingProxy> {
    return new SwitchingProxy(new URL(url)).listen();
  }

  /** @param port of the server to which connections lead from now on */
  leadTo(port: number): void {
    this.current = port;
  }

  protected accept(client: Socket): void {
    this.opened += 1;
    this.open.add(client);
    const upstream = connect(this.current, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
    client.on('close', () => {
      this.open.delete(client);
      upstream.destroy();
    });
  }
}
