import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Redis, type RedisOptions } from 'ioredis';
import type { Secret } from '../common/secrets/secret';
import type { AppConfig } from '../config/app-config';
import { Outage } from './outage';

const TIMEOUT_MS = 2_000;

/** Redis of `REDIS_URL`. Every connection to it is opened here, and closed when the service stops. */
@Injectable()
export class RedisService implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisService.name);
  private readonly url: Secret | undefined;
  private readonly clients: Redis[] = [];
  private readonly probe: Redis | undefined;

  constructor(config: ConfigService<AppConfig, true>) {
    this.url = config.get('redisUrl', { infer: true });
    if (!this.url) return;
    this.probe = this.connect('readiness', {
      lazyConnect: true,
      commandTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 1,
    });
  }

  get configured(): boolean {
    return this.url !== undefined;
  }

  /**
   * A connection of its own for one purpose, so that nobody waits behind another's commands. It connects again
   * after every loss; each outage is logged once, with the purpose.
   *
   * @throws Error where no Redis is configured
   */
  connect(purpose: string, options: RedisOptions): Redis {
    if (!this.url) throw new Error('No Redis is configured');
    const client = new Redis(this.url.reveal(), {
      connectTimeout: TIMEOUT_MS,
      // After a fail-over the name may lead to another server.
      reconnectOnError: ({ message }) => message.startsWith('READONLY'),
      ...options,
    });
    const outage = new Outage(this.logger, 'Redis is out of reach', 'Redis is back', { purpose });
    client.on('error', (error) => {
      outage.begin(error);
    });
    client.on('ready', () => {
      outage.end();
    });
    this.clients.push(client);
    return client;
  }

  /** Resolves when Redis answers. @throws Error when it does not within 2 s, or none is configured */
  async ping(): Promise<void> {
    if (!this.probe) throw new Error('No Redis is configured');
    await this.probe.ping();
  }

  onApplicationShutdown(): void {
    for (const client of this.clients) client.disconnect();
  }
}
