import DataLoader from 'dataloader';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Ipc } from '../cluster/ipc';
import { CALLS } from '../cluster/primary-link';
import { type Charge, RateLimitStorage } from './rate-limit-storage';
import { TokenBucketStorage } from './token-bucket.storage';

type Outcome = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The arguments of {@link RateLimitStorage.charge}. */
export type ChargeCall = [key: string, ttl: number, limit: number, charge: Charge];

/** The primary's handler for charges of its workers: it counts all of them in one storage. */
export function chargeInPrimary(): (charges: unknown) => Promise<Outcome[]> {
  const storage = new TokenBucketStorage();
  return (charges) => Promise.all((charges as ChargeCall[]).map((charge) => storage.charge(...charge)));
}

/**
 * Lets the primary count, so that all processes of a cluster share one limit. The charges of a turn are sent together.
 */
export class PrimaryRateLimitStorage extends RateLimitStorage {
  private readonly charges: DataLoader<ChargeCall, Outcome>;

  constructor(primary: Ipc) {
    super();
    this.charges = new DataLoader(async (calls) => (await primary.call(CALLS.charge, calls)) as Outcome[], {
      cache: false,
      maxBatchSize: 100,
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    });
  }

  charge(...call: ChargeCall): Promise<Outcome> {
    return this.charges.load(call);
  }
}
