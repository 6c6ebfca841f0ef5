import { BeforeApplicationShutdown, Injectable, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Stopping } from '../lifecycle/stopping';

const SWEEP_MS = 50;
/** How long after a signal idle connections stay open, so that their clients learn from a response that they end. */
const IDLE_MS = 2_000;

/**
 * Limits the time of a shutdown, in which Nest closes the listener and waits for every connection. Connections that are
 * kept alive are closed after their current response, and all others at the deadline.
 */
@Injectable()
export class ShutdownService implements OnModuleDestroy, BeforeApplicationShutdown {
  private idleUntil = 0;

  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly config: ConfigService<{ http: { shutdownTimeoutMs: number } }, true>,
    stopping: Stopping,
  ) {
    stopping.onBegin(() => {
      this.idleUntil = performance.now() + IDLE_MS;
    });
  }

  onModuleDestroy(): void {
    const { server } = this;
    const { shutdownTimeoutMs } = this.config.get('http', { infer: true });
    setInterval(() => {
      if (!server.listening) server.closeIdleConnections();
    }, SWEEP_MS).unref();
    setTimeout(() => {
      server.closeAllConnections();
    }, shutdownTimeoutMs).unref();
  }

  /** Nest closes the listener next, and node:http then closes idle connections at once. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    // A program that closes the service itself need not wait for its own connections.
    if (signal === undefined || !this.server.listening) return;
    const count = promisify(this.server.getConnections.bind(this.server));
    while (performance.now() < this.idleUntil && (await count()) > 0) await sleep(SWEEP_MS);
  }

  private get server(): Server {
    return this.adapter.httpAdapter.getHttpServer() as Server;
  }
}
