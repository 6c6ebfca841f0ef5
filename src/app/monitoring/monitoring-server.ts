import { once } from 'node:events';
import type { Server } from 'node:http';
import { BACKLOG } from '../../common/http/prototyped-express.adapter';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';

/**
 * The server for metrics and OpenAPI pages, if they have their own port. It responds until the main server has finished
 * its requests.
 */
@Injectable()
export class MonitoringServer implements OnApplicationShutdown {
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

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
