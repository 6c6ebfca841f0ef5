import { createHmac } from 'node:crypto';
import type { Secret } from '../../common/secrets/secret';
import { standardKeyBytes } from '../signing-key';
import type { DeliveryEntity } from './delivery.entity';

/** The keys of a notification: the current one, and the previous one as long as it is valid. */
export interface SigningKeys {
  current: Secret;
  previous?: Secret;
}

/** The request body, with the same bytes at each attempt. */
export function webhookBody({
  id,
  event,
  payload,
  createdAt,
}: Pick<DeliveryEntity, 'id' | 'event' | 'payload' | 'createdAt'>): string {
  return JSON.stringify({ id, event, payload, timestamp: createdAt.toISOString() });
}

/**
 * The headers of an attempt. `X-Signature` is the base64 of HMAC-SHA256 over the body, with the key's UTF-8 bytes. The
 * `webhook-` headers follow Standard Webhooks: they also cover the id and the time, and contain a signature for each
 * valid key.
 */
export function webhookHeaders(
  id: string,
  at: Date,
  body: string,
  keys: SigningKeys | undefined,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (!keys) return headers;
  const { current, previous } = keys;
  const content = `${id}.${timestamp}.${body}`;
  const standard = (key: Secret): string => `v1,${hmac(standardKeyBytes(key.reveal()), content)}`;
  return {
    ...headers,
    'x-signature': current.use((key) => hmac(key, body)),
    ...(previous && { 'x-signature-previous': previous.use((key) => hmac(key, body)) }),
    'webhook-signature': [current, ...(previous ? [previous] : [])].map(standard).join(' '),
  };
}

function hmac(key: Buffer, content: string): string {
  return createHmac('sha256', key).update(content, 'utf8').digest('base64');
}
