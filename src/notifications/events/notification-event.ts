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

/** An event of a plugin, `<plugin>.<event>` such as `acme-ledger.entry_booked`. Those of the service have no dot. */
export type PluginEvent = `${string}.${string}`;

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number] | PluginEvent;

/** Events of the plugins in this process. Global, because decorators of DTOs need them and have no access to providers. */
const pluginEvents = new Set<PluginEvent>();

/** Call it before the application is created. */
export function registerEvents(events: readonly PluginEvent[]): void {
  for (const event of events) pluginEvents.add(event);
}

/** Whether a plugin in this process declares an event. */
export const isRegisteredEvent = (event: PluginEvent): boolean => pluginEvents.has(event);

/** All events, with those of plugins. */
export const notificationEvents = (): NotificationEvent[] => [...NOTIFICATION_EVENTS, ...pluginEvents];

const isPluginEvent = (event: NotificationEvent): event is PluginEvent => event.includes('.');

/** Sent to every notification that names them, whichever relayer they are about, if any. */
const FOR_SUBSCRIBERS: ReadonlySet<NotificationEvent> = new Set(['signer_deleted', 'change_update']);

/** Sent only to notifications that name them, as the events of plugins are. */
const OPT_IN: ReadonlySet<NotificationEvent> = new Set(['signature_created', ...FOR_SUBSCRIBERS]);

/**
 * Sent to every notification: changes of the notification itself, so that nobody can hide a change by first removing the event from
 * the list, and the test event.
 */
const ALWAYS: ReadonlySet<NotificationEvent> = new Set([
  'notification_update',
  'notification_deleted',
  'test',
]);

/** Events of the service that a notification can name. */
export const EVENT_CHOICES = NOTIFICATION_EVENTS.filter((event) => !ALWAYS.has(event));

/** Events that a notification can name, with those of plugins. */
export const eventChoices = (): NotificationEvent[] => [...EVENT_CHOICES, ...pluginEvents];

/** The first event of a list that is sent regardless of the relayer that it is about. */
export const subscribedEvent = (
  events: readonly NotificationEvent[] | null | undefined,
): NotificationEvent | undefined =>
  events?.find((event) => FOR_SUBSCRIBERS.has(event) || isPluginEvent(event));

/** The payload of an event: `payload_type`, and what belongs to it. */
export interface EventPayload {
  payload_type: string;
  [member: string]: unknown;
}

/** Whether a notification with this list receives an event. */
export function wants(events: readonly NotificationEvent[] | null, event: NotificationEvent): boolean {
  if (ALWAYS.has(event)) return true;
  return events === null ? !OPT_IN.has(event) && !isPluginEvent(event) : events.includes(event);
}
