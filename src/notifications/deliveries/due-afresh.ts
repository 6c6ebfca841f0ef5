import type { DeliveryEntity } from './delivery.entity';

/** Makes a delivery due now, as if there had been no attempt, with a retry period that begins now. */
export function dueAfresh(retryForMs: number): Partial<DeliveryEntity> {
  const now = new Date();
  return {
    state: 'pending',
    attempts: 0,
    giveUpAt: new Date(now.getTime() + retryForMs),
    nextAttemptAt: now,
    lastStatus: null,
    lastFailure: null,
    finishedAt: null,
  };
}
