/** Requests to a webhook, for all code that verifies them: the client, and the receivers in `examples/`. */
import { createHmac } from 'node:crypto';

/** Its UTF-8 bytes are the key. */
export const RAW_KEY = 'a signing key of 32 bytes: ä--1';
/** The bytes 0 to 31 in the format of Standard Webhooks. */
export const STANDARD_KEY = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
export const BODY =
  '{"id":"event-1","event":"test","payload":{"payload_type":"test"},"timestamp":"2026-01-31T12:00:00.000Z"}';

interface Vector {
  what: string;
  isValid: boolean;
  /** The receiver's key. Default {@link RAW_KEY}. */
  key?: string;
  /** The signed body; default {@link BODY}. */
  signed?: string;
  /** The body that arrives; by default the signed one. */
  arrived?: string;
  /** How long ago it was signed. */
  secondsAgo?: number;
  /** Returns headers that differ from the correct ones; undefined removes a header. */
  headers?: (own: Record<string, string>) => Record<string, string | undefined>;
}

export const WEBHOOK_VECTORS: readonly Vector[] = [
  { what: 'an event', isValid: true },
  { what: 'an event with a key of Standard Webhooks', isValid: true, key: STANDARD_KEY },
  { what: 'text that is not ASCII', isValid: true, signed: BODY.replace('"test"', '"tést 🙂"') },
  { what: 'one of four minutes ago', isValid: true, secondsAgo: 240 },
  { what: 'one of a clock that is ahead', isValid: true, secondsAgo: -240 },
  {
    what: 'a further signature, of a former key',
    isValid: true,
    headers: ({ 'webhook-signature': own }) => ({ 'webhook-signature': `v1,${'A'.repeat(43)}= ${own}` }),
  },
  {
    what: 'a signature of another version beside its own',
    isValid: true,
    headers: ({ 'webhook-signature': own }) => ({ 'webhook-signature': `${own} v2,AAAA` }),
  },
  { what: 'one of six minutes ago', isValid: false, secondsAgo: 360 },
  { what: 'one in six minutes', isValid: false, secondsAgo: -360 },
  { what: 'another body', isValid: false, arrived: BODY.replace('event-1', 'event-2') },
  { what: 'white space at the end', isValid: false, arrived: `${BODY}\n` },
  { what: 'an empty body', isValid: false, arrived: '' },
  { what: 'another id', isValid: false, headers: () => ({ 'webhook-id': 'event-2' }) },
  {
    what: 'another time',
    isValid: false,
    headers: ({ 'webhook-timestamp': own }) => ({ 'webhook-timestamp': String(Number(own) + 1) }),
  },
  ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    what: `no ${name}`,
    isValid: false,
    headers: () => ({ [name]: undefined }),
  })),
  ...['now', '', '1e9', '-1', ' '].map((time) => ({
    what: `the time ${JSON.stringify(time)}`,
    isValid: false,
    headers: () => ({ 'webhook-timestamp': time }),
  })),
  ...['v1', 'v1,', 'v2,AAAA', ' , ', 'v1,%%%%', `v1,${'A'.repeat(43)}=`, `v1,${'A'.repeat(10_000)}`].map(
    (signature) => ({
      what: `the signature ${signature.slice(0, 50)}`,
      isValid: false,
      headers: () => ({ 'webhook-signature': signature }),
    }),
  ),
  {
    what: 'the signature under another version',
    isValid: false,
    headers: ({ 'webhook-signature': own = '' }) => ({ 'webhook-signature': own.replace('v1,', 'v2,') }),
  },
];

/** The key bytes that a signing key encodes (docs/webhooks.md). */
const keyOf = (key: string): Buffer =>
  key.startsWith('whsec_') ? Buffer.from(key.slice('whsec_'.length), 'base64') : Buffer.from(key);

/** The request for a vector. @param now seconds since 1970 */
export function requestOf(
  { key = RAW_KEY, signed = BODY, arrived = signed, secondsAgo = 0, headers }: Vector,
  now = Math.floor(Date.now() / 1000),
): { body: string; headers: Record<string, string>; key: string } {
  const { id = 'event-1' } = /"id":"(?<id>[^"]*)"/.exec(signed)?.groups ?? {};
  const timestamp = String(now - secondsAgo);
  const signature = createHmac('sha256', keyOf(key)).update(`${id}.${timestamp}.${signed}`).digest('base64');
  const own = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const all: Record<string, string | undefined> = { ...own, ...headers?.(own) };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { body: arrived, headers: Object.fromEntries(given), key };
}
