import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';

const SWEEP_MS = 50;

/**
 * Limits the time of a shutdown, in which Nest closes the listener and waits for every connection. Connections that are
 * kept alive are closed after their current response, and all others at the deadline.
 */
@Injectable()
export class ShutdownService implements OnModuleDestroy {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly config: ConfigService<{ http: { shutdownTimeoutMs: number } }, true>,
  ) {}

  onModuleDestroy(): void {
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    const { shutdownTimeoutMs } = this.config.get('http', { infer: true });
    setInterval(() => {
      if (!server.listening) server.closeIdleConnections();
    }, SWEEP_MS).unref();
    setTimeout(() => {
      server.closeAllConnections();
    }, shutdownTimeoutMs).unref();
  }
}
