import type { DeliveryFailure } from './delivery-failure';

/** What an attempt has come to. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  status: number | null;
  /** Null for a success. */
  failure: DeliveryFailure | null;
  answer: string | null;
  /** When the receiver wants to hear again, where it said so. */
  retryAfterMs?: number;
}
