import { OUTBOUND_FAILURES } from '../../outbound/outbound-error';

/**
 * Why an attempt failed: a failure of the outgoing call; `status` for a response other than 2xx; `gone` for 410;
 * `switched_off` for a receiver that is no longer called; `unreadable_key` if its URL or signing key cannot be
 * decrypted; `notification_altered` if the stored notification does not match its MAC.
 */
export const DELIVERY_FAILURES = [
  ...OUTBOUND_FAILURES,
  'status',
  'gone',
  'switched_off',
  'unreadable_key',
  'notification_altered',
] as const;

export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];
