import type { ThrottlerStorage } from '@nestjs/throttler';

/**
 * The result of a charge, as the throttler expects it; all times in milliseconds.
 *
 * @param untilFull until the allowance is full again
 * @param shortage until there will be enough; 0 if the charge was taken
 * @param refillOne the time to regain one request
 */
export function toRecord(
  untilFull: number,
  shortage: number,
  refillOne: number,
): Awaited<ReturnType<ThrottlerStorage['increment']>> {
  return {
    totalHits: Math.ceil(untilFull / refillOne),
    timeToExpire: seconds(untilFull),
    isBlocked: shortage > 0,
    timeToBlockExpire: shortage > 0 ? seconds(shortage) : 0,
  };
}

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));
