import { OUTBOUND_FAILURES } from '../../outbound/outbound-error';

/**
 * Why an attempt has failed: how the way to the receiver did, `status` for an answer that is no 2xx, `gone` for 410,
 * `switched_off` for a receiver that is not called any more, `unreadable_key` where its signing key cannot be decrypted.
 */
export const DELIVERY_FAILURES = [
  ...OUTBOUND_FAILURES,
  'status',
  'gone',
  'switched_off',
  'unreadable_key',
] as const;

export type DeliveryFailure = (typeof DELIVERY_FAILURES)[number];
