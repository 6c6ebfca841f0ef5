import { connect, type Socket } from 'node:net';
import { TcpProxy } from './tcp-proxy';

/** The packet of a client that contains a statement: length, sequence number 0, COM_QUERY. */
const isStatement = (packet: Buffer): boolean => packet[3] === 0 && packet[4] === 3;

/**
 * A TCP proxy to a MySQL or MariaDB whose clients can log in. From the first statement on it is silent: it neither
 * passes anything on nor closes the connection, even if the client does.
 */
export class SilentProxy extends TcpProxy {
  /** @param url leads to the server */
  static create(url: string): Promise<SilentProxy> {
    return new SilentProxy(new URL(url), { allowHalfOpen: true }).listen();
  }

  protected accept(client: Socket): void {
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
