import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { scriptedFetch, success } from '../../test/support/scripted-fetch';
import { RelayerClient } from './client';
import { importPrivateKey, signedRequests } from './signed-requests';

/** RFC 9421, B.1.4. */
const RFC_PRIVATE = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----`;
const RFC_PUBLIC = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
-----END PUBLIC KEY-----`;
const BODY = { hello: 'world' };
const URL = 'https://relayer.example.com';

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey']): string =>
  (key as unknown as { export: (options: object) => string }).export({ type: 'pkcs8', format: 'pem' });

describe('A signed request', () => {
  it('has the signature base of RFC 9421, section 2.5', async () => {
    const authentication = signedRequests('key-1', await importPrivateKey(RFC_PRIVATE));
    const before = Math.floor(Date.now() / 1000);
    const url = `${URL}/api/v1/relayers?page=2`;
    const headers = await authentication.headers({ method: 'POST', url, body: JSON.stringify(BODY) });
    const { 'signature-input': input = '', signature = '', 'content-digest': digest } = headers;
    const parts =
      /^sig=(?<parameters>\("@method" "@target-uri" "content-digest"\);created=(?<created>\d+);nonce="[0-9a-f-]{36}";keyid="key-1")$/.exec(
        input,
      )!.groups!;
    expect(Number(parts.created) - before).toBeLessThanOrEqual(2);
    const base = [
      '"@method": POST',
      `"@target-uri": ${url}`,
      `"content-digest": ${digest}`,
      `"@signature-params": ${parts.parameters}`,
    ].join('\n');
    const bytes = Buffer.from(/^sig=:(.+):$/.exec(signature)![1]!, 'base64');
    expect(verify(null, Buffer.from(base), createPublicKey(RFC_PUBLIC), bytes)).toBe(true);
    // Computed with `openssl dgst -sha256`.
    expect(digest).toBe('sha-256=:k6I5cakU5erL8KjSUVTNownDwccvu5kU1Hxg88toFYg=:');
  });

  it('covers the idempotency key of a transaction', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { fetch, requests } = scriptedFetch(success({}));
    const authentication = signedRequests('key-1', await importPrivateKey(pemOf(privateKey)));
    const client = new RelayerClient({ url: URL, authentication, fetch });
    await client.relayer('demo').sendTransaction({ value: 1n }, { idempotencyKey: 'order-42' });
    const { headers, target } = requests[0]!;
    const input = headers.get('signature-input')!;
    expect(headers.get('idempotency-key')).toBe('order-42');
    expect(input).toMatch(/^sig=\("@method" "@target-uri" "content-digest" "idempotency-key"\);/);
    const base = [
      '"@method": POST',
      `"@target-uri": ${URL}${target}`,
      `"content-digest": ${headers.get('content-digest')}`,
      '"idempotency-key": order-42',
      `"@signature-params": ${input.replace('sig=', '')}`,
    ].join('\n');
    const bytes = Buffer.from(/^sig=:(.+):$/.exec(headers.get('signature')!)![1]!, 'base64');
    expect(verify(null, Buffer.from(base), publicKey, bytes)).toBe(true);
  });

  it('has no digest without a body, and a new nonce for each retry', async () => {
    const { fetch, requests } = scriptedFetch({ status: 503 }, success({}));
    const authentication = signedRequests('key-1', await importPrivateKey(RFC_PRIVATE));
    const client = new RelayerClient({ url: URL, authentication, fetch, retries: { baseDelayMs: 1 } });
    await client.relayer('demo').get();
    const inputs = requests.map(({ headers }) => headers.get('signature-input'));
    for (const input of inputs) expect(input).toMatch(/^sig=\("@method" "@target-uri"\);created=/);
    expect(new Set(inputs).size).toBe(2);
    expect(requests.map(({ headers }) => headers.has('authorization'))).toEqual([false, false]);
  });
});

describe('importPrivateKey', () => {
  it('imports a P-256 key', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = await importPrivateKey(pemOf(privateKey));
    expect([key.algorithm.name, key.extractable]).toEqual(['ECDSA', false]);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['a public key', RFC_PUBLIC],
    ['secp256k1', pemOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey)],
    ['P-384', pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)],
    ['damage', RFC_PRIVATE.replace('MC4C', 'MC5C')],
  ])('refuses %s', async (_what, pem) => {
    await expect(importPrivateKey(pem)).rejects.toThrow(
      new TypeError('A private key must be Ed25519 or P-256, PKCS #8 as PEM'),
    );
  });
});
