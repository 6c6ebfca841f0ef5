/** What a notification can be told of. */
export const NOTIFICATION_EVENTS = [
  'relayer_state_update',
  'relayer_update',
  'relayer_low_balance',
  'signature_created',
  'transaction_update',
  'test',
] as const;

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** Told only to notifications that name them. */
const OPT_IN: ReadonlySet<NotificationEvent> = new Set(['signature_created']);

/** The payload of an event: `payload_type`, and what belongs to it. */
export interface EventPayload {
  payload_type: string;
  [member: string]: unknown;
}

/** Whether a notification wants to hear of an event; of a test always, since somebody asks for it. */
export function wants(events: readonly NotificationEvent[] | null, event: NotificationEvent): boolean {
  if (event === 'test') return true;
  return events === null ? !OPT_IN.has(event) : events.includes(event);
}
