/** What a notification can be told of. */
export const NOTIFICATION_EVENTS = [
  'relayer_state_update',
  'relayer_update',
  'relayer_low_balance',
  'relayer_deleted',
  'signature_created',
  'transaction_update',
  'signer_deleted',
  'notification_update',
  'notification_deleted',
  'test',
] as const;

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** Told only to notifications that name them. */
const OPT_IN: ReadonlySet<NotificationEvent> = new Set(['signature_created', 'signer_deleted']);

/**
 * Told to every notification: what concerns itself, so that nobody takes it out of its list before they change it, and the test
 * that somebody asks for.
 */
const ALWAYS: ReadonlySet<NotificationEvent> = new Set([
  'notification_update',
  'notification_deleted',
  'test',
]);

/** Events that a notification can name. */
export const EVENT_CHOICES = NOTIFICATION_EVENTS.filter((event) => !ALWAYS.has(event));

/** The payload of an event: `payload_type`, and what belongs to it. */
export interface EventPayload {
  payload_type: string;
  [member: string]: unknown;
}

/** Whether a notification wants to hear of an event. */
export function wants(events: readonly NotificationEvent[] | null, event: NotificationEvent): boolean {
  if (ALWAYS.has(event)) return true;
  return events === null ? !OPT_IN.has(event) : events.includes(event);
}
