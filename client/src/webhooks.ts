import { concat, fromBase64, isSame, utf8 } from './bytes.ts';
import { WebhookVerificationError } from './errors.ts';
import type { components } from './schema.ts';

const STANDARD_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/** An event as the service delivers it. */
export interface WebhookEvent {
  /** The same for each delivery of the event: ignore an event whose id has already been processed. */
  id: string;
  event: string;
  payload: {
    payload_type: string;
    /** Only for `change_update`. */
    change?: components['schemas']['PendingChangeResponse'];
  } & Record<string, unknown>;
  /** When the event happened (RFC 3339). */
  timestamp: string;
}

/** A request to a webhook. */
export interface WebhookRequest {
  /** The body exactly as received: JSON that was parsed and serialised again has a different signature. */
  body: string | Uint8Array;
  /** `Headers`, or Node's headers with lower-case names. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface VerificationOptions {
  /** The maximum difference between `webhook-timestamp` and the clock, in either direction. Default 300. */
  toleranceSeconds?: number;
  /** The current time, in seconds since 1970. */
  now?: number;
}

/**
 * Verifies that a request is an event of the service, by its `webhook-` headers (Standard Webhooks).
 *
 * @param signingKey the notification's signing key, as it was given to the service
 * @throws WebhookVerificationError; respond with 401 in this case
 */
export async function verifyWebhook(
  { body, headers }: WebhookRequest,
  signingKey: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Math.floor(Date.now() / 1000) }: VerificationOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('A webhook- header is missing');
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is not recent');
  const bytes = typeof body === 'string' ? utf8(body) : body;
  if (!(bytes instanceof Uint8Array))
    throw new TypeError('body must be the text or the bytes that were received, before JSON is parsed');
  const signed = concat(utf8(`${id}.${timestamp}.`), bytes);
  const key = await crypto.subtle.importKey('raw', keyBytes(signingKey), HMAC, false, ['sign']);
  // Computed only once: a request may contain thousands of signatures.
  const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  for (const entry of signatures.split(' ')) {
    const signature = entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : undefined;
    if (signature && isSame(signature, expected)) return readEvent(bytes);
  }
  throw new WebhookVerificationError('No signature is valid');
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** @throws TypeError for an invalid key, because it would refuse, or accept, everything */
function keyBytes(signingKey: unknown): Uint8Array<ArrayBuffer> {
  // For example a variable of the environment that is not set.
  if (typeof signingKey !== 'string') throw new TypeError(`The signing key is ${typeof signingKey}`);
  const isStandard = signingKey.startsWith(STANDARD_PREFIX);
  const bytes = isStandard ? fromBase64(signingKey.slice(STANDARD_PREFIX.length)) : utf8(signingKey);
  if (!bytes || bytes.length < (isStandard ? 24 : 32))
    throw new TypeError('A signing key has at least 32 bytes, or whsec_ and base64 of at least 24');
  return bytes;
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function readEvent(bytes: Uint8Array): WebhookEvent {
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}
