import type { DeliveryFailure } from './delivery-failure';

/** The result of an attempt. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** Null for a success. */
  failure: DeliveryFailure | null;
  answer: string | null;
  /** The delay before the next attempt that the receiver requested, if any. */
  retryAfterMs?: number;
}
