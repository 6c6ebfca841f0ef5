import type { DeliveryFailure } from './delivery-failure';

/** What an attempt has come to. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** Null for a success. */
  failure: DeliveryFailure | null;
  answer: string | null;
  /** How long the receiver wants the next attempt to wait, where it said so. */
  retryAfterMs?: number;
}
