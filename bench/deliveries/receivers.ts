/** Receivers of events, each on a port of its own, that record what they receive. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedEvent {
  /** The receiver to which it was sent. */
  index: number;
  /** The time in the event, in milliseconds since 1970. */
  madeAt: number;
  arrivals: number[];
}

export class Receivers {
  /** By event id. */
  readonly received = new Map<string, ReceivedEvent>();
  private readonly servers: Server[] = [];

  /** The first `hanging` receivers never respond. */
  static async create(count: number, hanging = 0): Promise<Receivers> {
    const receivers = new Receivers();
    for (let index = 0; index < count; index += 1) await receivers.listen(index, index < hanging);
    return receivers;
  }

  get urls(): string[] {
    return this.servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`);
  }

  private async listen(index: number, hangs: boolean): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.record(index, JSON.parse(Buffer.concat(chunks).toString()) as { id: string; timestamp: string });
        if (!hangs) response.end();
      });
      request.on('error', () => undefined);
    });
    this.servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
  }

  private record(index: number, { id, timestamp }: { id: string; timestamp: string }): void {
    const known = this.received.get(id);
    if (known) known.arrivals.push(Date.now());
    else this.received.set(id, { index, madeAt: Date.parse(timestamp), arrivals: [Date.now()] });
  }

  async destroy(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }
}
