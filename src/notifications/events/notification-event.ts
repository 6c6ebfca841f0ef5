/** The events that a notification can receive. */
export const NOTIFICATION_EVENTS = [
  'relayer_state_update',
  'relayer_update',
  'relayer_low_balance',
  'relayer_nonce_repaired',
  'relayer_deleted',
  'signature_created',
  'transaction_update',
  'signer_deleted',
  'change_update',
  'notification_update',
  'notification_deleted',
  'test',
] as const;

/**
 * An event of a plugin, `<plugin>.<event>`, for example `acme-ledger.entry_booked`. The service's own events contain no
 * dot.
 */
export type PluginEvent = `${string}.${string}`;

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number] | PluginEvent;

/**
 * The events of the plugins in this process. Global, because decorators of DTOs need them and cannot access providers.
 */
const pluginEvents = new Set<PluginEvent>();

/** Must be called before the application is created. */
export function registerEvents(events: readonly PluginEvent[]): void {
  for (const event of events) pluginEvents.add(event);
}

/** Whether a plugin in this process declares an event. */
export const isRegisteredEvent = (event: PluginEvent): boolean => pluginEvents.has(event);

/** All events, including those of plugins. */
export const notificationEvents = (): NotificationEvent[] => [...NOTIFICATION_EVENTS, ...pluginEvents];

const isPluginEvent = (event: NotificationEvent): event is PluginEvent => event.includes('.');

/** Sent to every notification that lists them, regardless of the relayer they are about. */
const FOR_SUBSCRIBERS: ReadonlySet<NotificationEvent> = new Set(['signer_deleted', 'change_update']);

/** Sent only to notifications that list them, like the events of plugins. */
const OPT_IN: ReadonlySet<NotificationEvent> = new Set(['signature_created', ...FOR_SUBSCRIBERS]);

/**
 * Sent to every notification: changes of the notification itself, so that nobody can hide a change by first removing
 * the event from the list, and the test event.
 */
export const ALWAYS: ReadonlySet<NotificationEvent> = new Set([
  'notification_update',
  'notification_deleted',
  'test',
]);

/** The service's own events that a notification can list. */
export const EVENT_CHOICES = NOTIFICATION_EVENTS.filter((event) => !ALWAYS.has(event));

/** All events that a notification can list, including those of plugins. */
export const eventChoices = (): NotificationEvent[] => [...EVENT_CHOICES, ...pluginEvents];

/** The first event in a list that is sent regardless of the relayer it is about. */
export const subscribedEvent = (
  events: readonly NotificationEvent[] | null | undefined,
): NotificationEvent | undefined =>
  events?.find((event) => FOR_SUBSCRIBERS.has(event) || isPluginEvent(event));

/** The payload of an event: `payload_type` and the members that depend on it. */
export interface EventPayload {
  payload_type: string;
  [member: string]: unknown;
}

/** Whether a notification with this list of events receives an event. */
export function wants(events: readonly NotificationEvent[] | null, event: NotificationEvent): boolean {
  if (ALWAYS.has(event)) return true;
  return events === null ? !OPT_IN.has(event) && !isPluginEvent(event) : events.includes(event);
}
