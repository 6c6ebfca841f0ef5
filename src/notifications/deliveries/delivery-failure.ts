import { OUTBOUND_FAILURES } from '../../outbound/outbound-error';

/**
 * Why an attempt has failed: how the way to the receiver did, `status` for a response that is no 2xx, `gone` for 410,
 * `switched_off` for a receiver that is not called any more, `unreadable_key` where its URL or signing key cannot be decrypted,
 * `notification_altered` where the stored notification does not match its MAC.
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
