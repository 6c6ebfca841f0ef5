import { Global, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';
import { RedisService } from './redis.service';

/** The connection to Redis, if one is configured. */
@Global()
@Module({
  providers: [{ provide: RedisService, inject: [ConfigService], useFactory: createService }],
  exports: [RedisService],
})
export class RedisModule {}

async function createService(config: ConfigService<AppConfig, true>): Promise<RedisService> {
  const url = config.get('redisUrl', { infer: true });
  if (!url) return new RedisService();
  // Imported lazily, so that a service without Redis does not load the client.
  const { Redis } = await import('ioredis');
  return new RedisService({ url, Client: Redis });
}
