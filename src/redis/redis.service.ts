import { Injectable, Logger, OnApplicationShutdown } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Redis } from 'ioredis';
import type { AppConfig } from '../config/app-config';

const TIMEOUT_MS = 2_000;

/** Redis of `REDIS_URL`; it connects at the first use and again after every loss. */
@Injectable()
export class RedisService implements OnApplicationShutdown {
  private readonly logger = new Logger(RedisService.name);
  private readonly client: Redis | undefined;

  constructor(config: ConfigService<AppConfig, true>) {
    const url = config.get('redisUrl', { infer: true });
    if (!url) return;
    this.client = new Redis(url.reveal(), {
      lazyConnect: true,
      connectTimeout: TIMEOUT_MS,
      commandTimeout: TIMEOUT_MS,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: true,
    });
    this.client.on('error', (error: Error) => {
      this.logger.warn('Redis is out of reach', { cause: error.message });
    });
  }

  get configured(): boolean {
    return this.client !== undefined;
  }

  /** Resolves when Redis answers. @throws Error when it does not within 2 s, or none is configured */
  async ping(): Promise<void> {
    if (!this.client) throw new Error('No Redis is configured');
    await this.client.ping();
  }

  onApplicationShutdown(): void {
    this.client?.disconnect();
  }
}
