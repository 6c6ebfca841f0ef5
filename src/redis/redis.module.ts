import { Global, Module } from '@nestjs/common';
import { RedisService } from './redis.service';

/** The connection to Redis, where one is configured. */
@Global()
@Module({ providers: [RedisService], exports: [RedisService] })
export class RedisModule {}
