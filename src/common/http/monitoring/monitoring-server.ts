import { once } from 'node:events';
import type { Server } from 'node:http';
import { BACKLOG } from '../prototyped-express.adapter';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';

/** The server of metrics and OpenAPI pages, where they have a port of their own. It answers until the others have stopped. */
@Injectable()
export class MonitoringServer implements BeforeApplicationShutdown {
  private server: Server | undefined;

  attach(server: Server): void {
    this.server = server;
  }

  /** Resolves once the server listens. */
  async listen(port: number, host: string): Promise<void> {
    if (!this.server) return;
    this.server.listen({ port, host, backlog: BACKLOG });
    await once(this.server, 'listening');
  }

  beforeApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
