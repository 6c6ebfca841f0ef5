import { Webhook } from 'standardwebhooks';
import { Secret } from '../../common/secrets/secret';
import type { DeliveryEntity } from './delivery.entity';
import { webhookBody, webhookHeaders } from './webhook-message';

const ID = '0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11';
const AT = new Date('2026-01-31T12:00:05.999Z');
const DELIVERY = {
  id: ID,
  event: 'test',
  payload: { payload_type: 'test' },
  createdAt: new Date('2026-01-31T12:00:00.000Z'),
  state: 'pending',
} as DeliveryEntity;
const BODY =
  '{"id":"0f4c2a9e-6f0f-4f43-9a3e-3d7a5b0d8c11","event":"test","payload":{"payload_type":"test"},"timestamp":"2026-01-31T12:00:00.000Z"}';

const RAW = 'a signing key of 32 bytes: ä--1';
const OLD = 'a signing key of 32 bytes: old--';
/** The bytes 0 to 31. */
const STANDARD = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** Computed with `openssl dgst -sha256 -mac HMAC -macopt hexkey:<key> -binary | base64`. */
const X_SIGNATURE = 'Aj0YD88O334IRqg7iJHOJfoVlXtsz5tDSny5a1luWBM=';
const X_SIGNATURE_OLD = 'VLSnxZLY7RpdczmEvbm4r5IwpTPL78imSQtQPqXA/pQ=';
const X_SIGNATURE_STANDARD = 'CJUYDqZ88uvW8Jwi6z0/fm9UrEo0JJxk35Y/pq8Xj/I=';
const V1_RAW = 'QNcwDxfHrBHcWcqDQdoasDuevAKrd0s/weWrOz0uoRY=';
const V1_OLD = 'Gg+ztN39zIawTdC8Es+xl4sgYpS5jE3LDALe2ytPiB4=';
const V1_STANDARD = 'G064bL3jSE7vx4XkMhqXC4Vaq+SjYkTcgRRvk2BEsKQ=';

const keys = (current: string, previous?: string) => ({
  current: new Secret(current),
  ...(previous !== undefined && { previous: new Secret(previous) }),
});

describe('webhookBody', () => {
  it('has the documented members, in their order', () => {
    expect(webhookBody(DELIVERY)).toBe(BODY);
  });
});

describe('webhookHeaders', () => {
  const unsigned = {
    'content-type': 'application/json',
    'webhook-id': ID,
    'webhook-timestamp': '1769860805',
  };

  it('contain no signature without a key', () => {
    expect(webhookHeaders(ID, AT, BODY, undefined)).toEqual(unsigned);
  });

  it('contain both signatures of a key', () => {
    expect(webhookHeaders(ID, AT, BODY, keys(RAW))).toEqual({
      ...unsigned,
      'x-signature': X_SIGNATURE,
      'webhook-signature': `v1,${V1_RAW}`,
    });
  });

  it('use the decoded bytes of a Standard Webhooks key for webhook-signature, and its text for x-signature', () => {
    expect(webhookHeaders(ID, AT, BODY, keys(STANDARD))).toEqual({
      ...unsigned,
      'x-signature': X_SIGNATURE_STANDARD,
      'webhook-signature': `v1,${V1_STANDARD}`,
    });
  });

  it('contain the signatures of the previous key too', () => {
    expect(webhookHeaders(ID, AT, BODY, keys(STANDARD, OLD))).toEqual({
      ...unsigned,
      'x-signature': X_SIGNATURE_STANDARD,
      'x-signature-previous': X_SIGNATURE_OLD,
      'webhook-signature': `v1,${V1_STANDARD} v1,${V1_OLD}`,
    });
  });
});

describe('The Standard Webhooks library', () => {
  const verify = (headers: Record<string, string>, key: Webhook, body = BODY): unknown =>
    key.verify(body, headers);
  const raw = new Webhook(Buffer.from(RAW, 'utf8'), { format: 'raw' });
  const old = new Webhook(Buffer.from(OLD, 'utf8'), { format: 'raw' });
  const standard = new Webhook(STANDARD);

  it('accepts signatures of a raw key, of a whsec_ key, and of either during a rotation', () => {
    const now = new Date();
    const during = webhookHeaders(ID, now, BODY, keys(STANDARD, RAW));
    for (const [headers, key] of [
      [webhookHeaders(ID, now, BODY, keys(RAW)), raw],
      [webhookHeaders(ID, now, BODY, keys(STANDARD)), standard],
      [during, raw],
      [during, standard],
    ] as const)
      expect(verify(headers, key)).toMatchObject({ id: ID, event: 'test' });
    expect(() => verify(during, old)).toThrow('No matching signature found');
  });

  it('rejects another body, id or timestamp', () => {
    const headers = webhookHeaders(ID, new Date(), BODY, keys(RAW));
    const earlier = String(Number(headers['webhook-timestamp']) - 1);
    expect(() => verify(headers, raw, BODY.replace('12:00', '13:00'))).toThrow('No matching signature found');
    for (const [name, value] of Object.entries({ 'webhook-id': 'another', 'webhook-timestamp': earlier }))
      expect(() => verify({ ...headers, [name]: value }, raw)).toThrow('No matching signature found');
  });

  it('rejects a request that is replayed later', () => {
    const sixMinutesAgo = new Date(Date.now() - 360_000);
    expect(() => verify(webhookHeaders(ID, sixMinutesAgo, BODY, keys(RAW)), raw)).toThrow(
      'Message timestamp too old',
    );
  });
});
