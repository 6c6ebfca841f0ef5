import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import type { Secret } from '../common/secrets/secret';
import { dropConnection } from './drop-connection';
import { Outage } from './outage';

const TIMEOUT_MS = 2_000;

/** The URL of Redis, and the client library. */
interface RedisAccess {
  url: Secret;
  Client: typeof Redis;
}

/** The Redis in `REDIS_URL`. Every connection to it is opened here, and closed when the service stops. */
export class RedisService implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisService.name);
  private readonly clients: Redis[] = [];
  private readonly probe: Redis | undefined;
  private pinging: Promise<void> | undefined;

  /** @param access undefined if no Redis is configured */
  constructor(private readonly access?: RedisAccess) {
    if (!access) return;
    this.probe = this.connect('readiness', {
      lazyConnect: true,
      commandTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 1,
      autoResendUnfulfilledCommands: false,
    });
  }

  get configured(): boolean {
    return this.access !== undefined;
  }

  /**
   * Opens a separate connection for one purpose, so that no command waits behind those for another one. It reconnects
   * after every loss; each outage is logged once, with the purpose.
   *
   * @throws Error if no Redis is configured
   */
  connect(purpose: string, options: RedisOptions): Redis {
    if (!this.access) throw new Error('No Redis is configured');
    const { url, Client } = this.access;
    const client = new Client(url.reveal(), {
      ...(isTls(url) && { tls: { rejectUnauthorized: true } }),
      connectTimeout: TIMEOUT_MS,
      // After a failover, the name may lead to another server.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
      ...options,
    });
    const outage = new Outage(this.logger, 'Redis is out of reach', 'Redis is back', { purpose });
    client.on('error', (error: Error & { command?: { name: string } }) => {
      outage.begin(error);
      // ioredis would continue in database 0, which may be that of another service.
      if (error.command?.name === 'select') dropConnection(client);
    });
    client.on('ready', () => outage.end());
    this.clients.push(client);
    return client;
  }

  /** Resolves when Redis responds. @throws Error if it does not respond within 2 s, or none is configured */
  ping(): Promise<void> {
    return (this.pinging ??= this.pingOnce().finally(() => (this.pinging = undefined)));
  }

  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }

  private async pingOnce(): Promise<void> {
    if (!this.probe) throw new Error('No Redis is configured');
    try {
      await this.probe.ping();
    } catch (error) {
      dropConnection(this.probe);
      throw error;
    }
  }
}

/**
 * The client recognizes the scheme only in lower case, and would otherwise let NODE_TLS_REJECT_UNAUTHORIZED decide
 * whether the certificate is verified.
 */
function isTls(url: Secret): boolean {
  return /^rediss:/i.test(url.reveal());
}
