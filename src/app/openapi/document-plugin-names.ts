import type { OpenAPIObject } from '@nestjs/swagger';
import { grantableScopes, SCOPES } from '../../access/scopes';
import { EVENT_CHOICES, notificationEvents } from '../../notifications/events/notification-event';

/** Adds the scopes and events of plugins to every list that contains those of the service. */
export function documentPluginNames(document: OpenAPIObject): void {
  const scopes = grantableScopes().filter((scope) => scope.includes('.'));
  const events = notificationEvents().filter((event) => event.includes('.'));
  if (scopes.length > 0) extendChoices(document, SCOPES, scopes);
  if (events.length > 0) extendChoices(document, EVENT_CHOICES, events);
}

function extendChoices(node: unknown, own: readonly string[], added: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { enum: choices } = node as { enum?: unknown };
  if (Array.isArray(choices) && own.every((name) => choices.includes(name)))
    Object.assign(node, { enum: [...new Set([...(choices as unknown[]), ...added])] });
  for (const child of Object.values(node)) extendChoices(child, own, added);
}
