import { Inject, Injectable } from '@nestjs/common';
import { getStorageToken } from '@nestjs/throttler';
import type { Request } from 'express';
import { GeneralRateLimit } from '../access/general-rate-limit';
import { clientAddressOf } from '../common/http/client-address';
import { clientNetwork } from '../common/net/client-network';
import { bucketOf } from './bucket';
import { RateLimitStorage } from './rate-limit-storage';
import { TokenBucketStorage } from './token-bucket.storage';

/**
 * The allowance for metrics and OpenAPI pages: more than scrapers and readers need, but too little to put load on the
 * service.
 */
const PUBLIC_BUCKET = bucketOf({ requestsPerSecond: 20, burstSize: 200 });

/** The key of the allowance for requests without a principal. */
export const addressTracker = (request: Request): string => `address ${clientOf(request)}`;

const clientOf = (request: Request): string => clientNetwork(clientAddressOf(request) ?? 'unknown');

/** Counts requests without a principal against their client address. */
@Injectable()
export class AddressAllowance {
  /** Counted in this process only, so that metrics are available even if the shared storage is not. */
  private readonly local = new TokenBucketStorage();

  constructor(
    @Inject(getStorageToken()) private readonly storage: RateLimitStorage,
    private readonly general: GeneralRateLimit,
  ) {}

  /** Charges a request without a valid token. @throws RateLimitedError */
  chargeAddress(request: Request): Promise<void> {
    return this.storage.take(addressTracker(request), bucketOf(this.general.current));
  }

  /** Charges a request for a page that requires no token. @throws RateLimitedError */
  chargePublic(request: Request): Promise<void> {
    return this.local.take(clientOf(request), PUBLIC_BUCKET);
  }
}
