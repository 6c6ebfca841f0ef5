import { BODY, RAW_KEY, requestOf, STANDARD_KEY, WEBHOOK_VECTORS } from '../../test/support/webhook-vectors';
import { WebhookVerificationError } from './errors';
import { verifyWebhook } from './webhooks';

/** Signed with `openssl dgst -sha256 -hmac`. */
const FIXED = {
  now: 1_769_860_800,
  headers: {
    'webhook-id': 'event-1',
    'webhook-timestamp': '1769860800',
    'webhook-signature': 'v1,MSB+/HPYDQDaQdSoyrMap/DfVuMfVU/Ns66Wh4I2NOg=',
  },
  body: BODY,
};

describe('verifyWebhook', () => {
  it.each(WEBHOOK_VECTORS)('checks $what', async (vector) => {
    const { key, ...request } = requestOf(vector);
    const bytes = { body: new TextEncoder().encode(request.body), headers: new Headers(request.headers) };
    for (const form of [request, bytes])
      if (vector.isValid) expect(await verifyWebhook(form, key)).toEqual(JSON.parse(request.body));
      else await expect(verifyWebhook(form, key)).rejects.toThrow(WebhookVerificationError);
  });

  it('accepts a signature created by openssl within the tolerance', async () => {
    const { now, ...request } = FIXED;
    expect(await verifyWebhook(request, RAW_KEY, { now })).toMatchObject({ id: 'event-1', event: 'test' });
    await expect(verifyWebhook(request, STANDARD_KEY, { now })).rejects.toThrow('No signature is valid');
    await expect(verifyWebhook(request, RAW_KEY, { now: now + 301 })).rejects.toThrow('not recent');
    await verifyWebhook(request, RAW_KEY, { now: now + 301, toleranceSeconds: 600 });
  });

  it('says that the body must not be parsed', async () => {
    const { now, headers, body } = FIXED;
    for (const parsed of [JSON.parse(body), undefined])
      await expect(verifyWebhook({ headers, body: parsed as string }, RAW_KEY, { now })).rejects.toThrow(
        'body must be the text or the bytes that were received, before JSON is parsed',
      );
  });

  it('hashes the body once regardless of the number of signatures', async () => {
    const { now, headers, body } = FIXED;
    const hash = jest.spyOn(crypto.subtle, 'sign');
    const verify = jest.spyOn(crypto.subtle, 'verify');
    const many = { ...headers, 'webhook-signature': Array<string>(4000).fill('v1,').join(' ') };
    await expect(verifyWebhook({ headers: many, body }, RAW_KEY, { now })).rejects.toThrow(
      'No signature is valid',
    );
    expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([1, 0]);
    const last = { ...many, 'webhook-signature': `v1, ${headers['webhook-signature']}` };
    expect(await verifyWebhook({ headers: last, body }, RAW_KEY, { now })).toMatchObject({ id: 'event-1' });
    jest.restoreAllMocks();
  });

  it.each(['', 'short', 'whsec_', 'whsec_AAAA', 'whsec_%'])('refuses the key %j', async (key) => {
    await expect(verifyWebhook(requestOf({ what: '', isValid: true }), key)).rejects.toThrow(TypeError);
  });

  it('says that there is no key', async () => {
    const verified = verifyWebhook(requestOf({ what: '', isValid: true }), undefined as unknown as string);
    await expect(verified).rejects.toThrow(new TypeError('The signing key is undefined'));
  });
});
