import type { ThrottlerStorage } from '@nestjs/throttler';

/**
 * The result of a charge in the form that the throttler expects; all times in milliseconds.
 *
 * @param untilFull the time until the allowance is full again
 * @param shortage the time until it is sufficient; 0 if the charge was taken
 * @param refillOne the time that regains one request
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
