import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { CLOSING_REASONS, type ClosingReason } from '../common/http/server/connection';

/** The numbers of connections that the limits of a server count. */
interface CountedConnections {
  readonly size: number;
  readonly trustedSize: number;
}

/**
 * Open connections, the memory used by bodies and unread responses, and connections that were closed because of a
 * limit.
 */
@Injectable()
export class HttpServerMetrics {
  private readonly servers: CountedConnections[] = [];
  private readonly closed: Counter<'reason'>;

  constructor(private readonly registry: Registry) {
    const { servers } = this;
    const sum = (count: (server: CountedConnections) => number): number =>
      servers.reduce((total, server) => total + count(server), 0);
    new Gauge({
      name: 'http_connections',
      help: 'Open connections; token is yes if a valid token was sent on the connection, otherwise no',
      labelNames: ['token'],
      registers: [registry],
      collect() {
        const trusted = sum(({ trustedSize }) => trustedSize);
        this.set({ token: 'yes' }, trusted);
        this.set({ token: 'no' }, sum(({ size }) => size) - trusted);
      },
    });
    this.closed = new Counter({
      name: 'http_connections_closed_total',
      help: `Connections that a limit closed: ${CLOSING_REASONS.join(', ')}`,
      labelNames: ['reason'],
      registers: [registry],
    });
    for (const reason of CLOSING_REASONS) this.closed.inc({ reason }, 0);
  }

  /** Includes the connections of a server from now on. */
  watchConnections(connections: CountedConnections): void {
    this.servers.push(connections);
  }

  /** Registers a gauge of the bytes that are held. */
  watchBytes(what: 'request_bodies' | 'unread_responses', holder: { readonly bytes: number }): void {
    new Gauge({
      name: `http_${what}_bytes`,
      help:
        what === 'request_bodies'
          ? 'Bytes of the bodies of requests in progress'
          : 'Bytes of responses that clients have not read',
      registers: [this.registry],
      collect() {
        this.set(holder.bytes);
      },
    });
  }

  connectionClosed(reason: ClosingReason): void {
    this.closed.inc({ reason });
  }
}
