import DataLoader from 'dataloader';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Ipc } from '../cluster/ipc';
import { CALLS } from '../cluster/primary-link';
import { type Charge, RateLimitStorage } from './rate-limit-storage';
import { TokenBucketStorage } from './token-bucket.storage';

type Outcome = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** The arguments of {@link RateLimitStorage.charge}. */
export type ChargeQuestion = [key: string, ttl: number, limit: number, charge: Charge];

/** The primary's handler for charges of its workers: it counts all of them in one storage. */
export function chargeInPrimary(): (charges: unknown) => Promise<Outcome[]> {
  const storage = new TokenBucketStorage();
  return (charges) => Promise.all((charges as ChargeQuestion[]).map((charge) => storage.charge(...charge)));
}

/**
 * Lets the primary count, so that all processes of a cluster share one limit. The charges of a turn are sent together.
 */
export class PrimaryRateLimitStorage extends RateLimitStorage {
  private readonly charges: DataLoader<ChargeQuestion, Outcome>;

  constructor(primary: Ipc) {
    super();
    this.charges = new DataLoader(
      async (questions) => (await primary.call(CALLS.charge, questions)) as Outcome[],
      { cache: false, maxBatchSize: 100, batchScheduleFn: (dispatch) => void setImmediate(dispatch) },
    );
  }

  charge(...question: ChargeQuestion): Promise<Outcome> {
    return this.charges.load(question);
  }
}
