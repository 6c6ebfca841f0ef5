import { Inject, Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { getStorageToken } from '@nestjs/throttler';
import type { Request } from 'express';
import type { AppConfig } from '../../config/app-config';
import { RateLimitedError } from '../errors/rate-limited.error';
import { clientNetwork } from '../net/client-network';
import { bucketOf } from './bucket';
import { RateLimitStorage } from './rate-limit-storage';

/** Of metrics and OpenAPI pages: what scrapers and readers never use up, and nobody can load the service with. */
export const PUBLIC_BUCKET = bucketOf({ requestsPerSecond: 20, burstSize: 200 });

/** Whose allowance pays for a request without a valid token. */
export const addressTracker = (request: Request): string => `address ${clientOf(request)}`;

/** The same for pages that need no token, so that a scraper and an API client leave each other alone. */
export const publicTracker = (request: Request): string => `public ${clientOf(request)}`;

const clientOf = (request: Request): string => clientNetwork(request.ip ?? 'unknown');

/** Counts requests that no guard of Nest's sees against their client address. */
@Injectable()
export class AddressAllowance {
  private readonly bucket: ReturnType<typeof bucketOf>;

  constructor(
    @Inject(getStorageToken()) private readonly storage: RateLimitStorage,
    config: ConfigService<AppConfig, true>,
  ) {
    this.bucket = bucketOf(config.get('rateLimit', { infer: true }));
  }

  /** Counts a request without a valid token. @throws RateLimitedError */
  chargeAddress(request: Request): Promise<void> {
    return this.charge(addressTracker(request), this.bucket);
  }

  /** Counts a request for a page that needs no token. @throws RateLimitedError */
  chargePublic(request: Request): Promise<void> {
    return this.charge(publicTracker(request), PUBLIC_BUCKET);
  }

  private async charge(key: string, { ttl, limit }: ReturnType<typeof bucketOf>): Promise<void> {
    const { isBlocked, timeToBlockExpire } = await this.storage.increment(key, ttl, limit);
    if (isBlocked) throw new RateLimitedError(timeToBlockExpire);
  }
}
