import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SignatureNonceEntity } from '../../src/auth/signed-requests/signature-nonce.entity';
import { UsedNonces } from '../../src/auth/signed-requests/used-nonces';
import { unrecorded } from '../support/api-keys';
import { TestApplication } from '../support/application';
import { describeService } from '../support/describe-service';
import { type Call, type HttpResponse, send } from '../support/http';
import { apiKey } from '../support/keys';
import { RequestSigner, sha256Digest } from '../support/signed-requests';

const PATH = '/api/v1/api-keys';
const ORIGIN = 'https://relayer.example.com';
const SETTINGS = {
  STORAGE_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  API_KEY: apiKey('signed'),
  PUBLIC_URL: `${ORIGIN}/ignored`,
};
/** Everything that Jest can fake, except `Date`. */
const TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;
const BODY = { name: 'Signed', scopes: ['api-keys:manage'], public_key: new RequestSigner().pem };

describeService('Signed requests', { settings: SETTINGS }, ({ service, database }) => {
  const signer = new RequestSigner();
  let keyId: string;

  const createKey = async (public_key: unknown, fields: object = {}): Promise<string> => {
    const body = { name: 'Signing', scopes: ['api-keys:manage'], public_key, ...fields };
    const response = await unrecorded(service, 'POST', PATH, body);
    expect(response.status).toBe(201);
    expect(response.body.data).not.toHaveProperty('key');
    return response.body.data.id as string;
  };

  const signed = (call: Call, options?: Parameters<RequestSigner['sign']>[3]): Promise<Call> =>
    signer.sign(ORIGIN, keyId, call, options);

  const list: Call = { path: `${PATH}?per_page=2` };
  const create: Call = { method: 'POST', path: PATH, body: BODY };

  const sending: Call = {
    ...{ method: 'POST', path: '/api/v1/relayers/none/transactions', body: { to: null } },
    headers: { 'idempotency-key': 'order-1' },
  };

  beforeAll(async () => {
    keyId = await createKey(signer.pem);
  });

  it.each(['ed25519', 'ecdsa-p256-sha256'] as const)(
    'are accepted from a second implementation, with %s',
    async (algorithm) => {
      const other = new RequestSigner(algorithm);
      const jwk = other.publicKey.export({ format: 'jwk' });
      for (const key of [other.pem, jwk]) {
        const id = await createKey(key);
        expect((await service.get(`${PATH}/${id}`)).body.data.public_key).toBe(other.pem);
        for (const params of [undefined, ['keyid', 'nonce', 'created']])
          for (const call of [
            list,
            create,
            { method: 'PATCH', path: `${PATH}/${id}`, body: { name: 'Renamed' } },
          ]) {
            const response = await service.call(await other.sign(ORIGIN, id, call, params && { params }));
            expect([call.path, response.status]).toEqual([call.path, call === create ? 201 : 200]);
          }
      }
    },
  );

  it('may cover more components than required', async () => {
    const fields = [
      'content-type',
      '@target-uri',
      '@path',
      '@query',
      '@authority',
      'content-digest',
      '@method',
    ];
    const call = { ...create, headers: { 'content-type': 'application/json' } };
    expect((await service.call(await signed(call, { fields }))).status).toBe(201);
  });

  it('may have an idempotency key that is signed', async () => {
    for (const call of [sending, { ...sending, headers: {} }])
      // Its key lacks the scope.
      expect((await service.call(await signed(call))).status).toBe(403);
  });

  it('cannot rotate their key, which has no secret', async () => {
    const rotate = await signed({ method: 'POST', path: `${PATH}/${keyId}/rotate`, body: {} });
    expect((await service.call(rotate)).body.error).toBe(
      'the key has a public_key and no secret: create another key instead',
    );
  });

  const at = (seconds: number) => ({ values: { created: new Date(Date.now() + seconds * 1000) } });

  it.each<[string, () => Promise<Call>]>([
    ['another path', async () => ({ ...(await signed(list)), path: `${PATH}/${keyId}` })],
    ['another query', async () => ({ ...(await signed(list)), path: `${PATH}?per_page=3` })],
    ['another method', async () => ({ ...(await signed({ path: `${PATH}/${keyId}` })), method: 'DELETE' })],
    ['another host', () => signer.sign('https://other.example.com', keyId, list)],
    ['another scheme', () => signer.sign('http://relayer.example.com', keyId, list)],
    ['another port', () => signer.sign(`${ORIGIN}:8443`, keyId, list)],
    [
      'another body',
      async () => ({ ...(await signed(create)), body: JSON.stringify({ ...BODY, name: 'Other' }) }),
    ],
    [
      'another body with its digest',
      async () => {
        const { headers, ...call } = await signed(create);
        const body = JSON.stringify({ ...BODY, name: 'Other' });
        return { ...call, body, headers: { ...headers, 'content-digest': sha256Digest(body) } };
      },
    ],
    ['no body although one was signed', async () => ({ ...(await signed(create)), body: undefined })],
    [
      'a body without a digest',
      async () => ({ ...(await signed({ ...create, body: undefined })), body: BODY }),
    ],
    ['a digest that is not signed', () => signed(create, { fields: ['@method', '@target-uri'] })],
    ['another idempotency key', async () => withHeader(await signed(sending), 'idempotency-key', 'order-2')],
    [
      'no idempotency key although one was signed',
      async () => withHeader(await signed(sending), 'idempotency-key', undefined),
    ],
    [
      'an idempotency key that is not signed',
      () => signed(sending, { fields: ['@method', '@target-uri', 'content-digest'] }),
    ],
    [
      'an idempotency key that was added',
      async () => withHeader(await signed({ ...sending, headers: {} }), 'idempotency-key', 'order-1'),
    ],
    ['no method', () => signed(list, { fields: ['@target-uri'] })],
    ['no URI', () => signed(list, { fields: ['@method', '@path'] })],
    ['a time an hour ago', () => signed(list, at(-3600))],
    ['a time in an hour', () => signed(list, at(3600))],
    ['a time two minutes ago', () => signed(list, at(-120))],
    [
      'an expiry in the past',
      () =>
        signed(list, {
          params: ['created', 'nonce', 'keyid', 'expires'],
          values: { expires: new Date(Date.now() - 1000) },
        }),
    ],
    ['no time', () => signed(list, { params: ['nonce', 'keyid'] })],
    ['no nonce', () => signed(list, { params: ['created', 'keyid'] })],
    ['no key', () => signed(list, { params: ['created', 'nonce'] })],
    ['an unknown key', () => signer.sign(ORIGIN, 'nosuchkey', list)],
    ['a signature by another key', () => new RequestSigner().sign(ORIGIN, keyId, list)],
    ['another algorithm', () => signed(list, { values: { alg: 'ecdsa-p256-sha256' } })],
    ['a symmetric algorithm', () => signed(list, { values: { alg: 'hmac-sha256' } })],
    [
      'no signature',
      async () => ({ ...list, headers: { ...(await signed(list)).headers, signature: undefined } }),
    ],
    [
      'a broken signature',
      async () => ({ ...list, headers: { ...(await signed(list)).headers, signature: 'sig=:AAAA:' } }),
    ],
    [
      'malformed signature headers',
      () =>
        Promise.resolve({
          ...list,
          headers: { authorization: undefined, 'signature-input': '((', signature: ')' },
        }),
    ],
  ])('are refused with %s', async (_what, call) => {
    const { status, body } = await service.call(withoutUndefined(await call()));
    expect([status, body.message]).toEqual([401, 'Unauthorized']);
  });

  it('are refused with 1 MB of headers', async () => {
    const { headers, ...call } = await signed(list);
    const input = `${String(headers?.['signature-input'])};tag="${'x'.repeat(1_000_000)}"`;
    const response = await send(
      service.url,
      withoutUndefined({ ...call, headers: { ...headers, 'signature-input': input } }),
    ).catch(() => undefined);
    expect([431, undefined]).toContain(response?.status);
  });

  it('are accepted up to a minute before and after their time of creation', async () => {
    for (const seconds of [-50, 50])
      expect((await service.call(await signed(list, at(seconds)))).status).toBe(200);
  });

  it('require a key without a secret, which is not a bearer token', async () => {
    const authorization = `Bearer rk_${keyId}_${'0'.repeat(49)}`;
    expect((await service.get(PATH, { authorization })).status).toBe(401);
    const withSecret = await unrecorded(service, 'POST', PATH, { name: 'x', scopes: ['api-keys:manage'] });
    const id = withSecret.body.data.id as string;
    expect((await service.call(await signer.sign(ORIGIN, id, list))).status).toBe(401);
  });

  it('are subject to the restrictions of their key', async () => {
    const other = new RequestSigner();
    const id = await createKey(other.pem, { scopes: ['freeze'] });
    expect((await service.call(await other.sign(ORIGIN, id, list))).status).toBe(403);
    await service.patch(`${PATH}/${id}`, { scopes: ['api-keys:manage'], allowed_ips: ['192.0.2.1'] });
    expect((await service.call(await other.sign(ORIGIN, id, list))).status).toBe(401);
    await service.patch(`${PATH}/${id}`, { allowed_ips: null });
    expect((await service.call(await other.sign(ORIGIN, id, list))).status).toBe(200);
    await service.call({ method: 'DELETE', path: `${PATH}/${id}` });
    expect((await service.call(await other.sign(ORIGIN, id, list))).status).toBe(401);
  });

  it.each([[['x']], ['x'], [{ kty: 'oct', k: 'AAAA' }], [7]])(
    'cannot have %j as a public key',
    async (public_key) => {
      const response = await service.post(PATH, { name: 'x', scopes: ['freeze'], public_key });
      expect([response.status, response.body.error]).toEqual([
        400,
        'public_key must be an Ed25519 or P-256 public key, as PEM (SPKI) or JWK',
      ]);
    },
  );

  it('write no nonce beyond the rate limit, or if their body is too large', async () => {
    const rows = (): Promise<number> => service.app.get(DataSource).manager.count(SignatureNonceEntity);
    const other = new RequestSigner();
    const id = await createKey(other.pem, { rate_limit: { requests_per_second: 1, burst: 3 } });
    const before = await rows();
    const statuses: number[] = [];
    let refused: HttpResponse | undefined;
    for (let i = 0; i < 20; i += 1) {
      const response = await service.call(await other.sign(ORIGIN, id, list));
      statuses.push(response.status);
      if (response.status === 429) refused = response;
    }
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20 - served);
    expect(refused?.body.message).toBe('Too Many Requests');
    expect(refused?.headers['retry-after']).toBe('1');
    expect(await rows()).toBe(before + served);
    const large = await signed({ ...create, body: { ...BODY, name: 'x'.repeat(1_100_000) } });
    expect((await service.call(large)).status).toBe(413);
    expect(await rows()).toBe(before + served);
  });

  it('are counted against their address if they are replayed, not against their key', async () => {
    const other = new RequestSigner();
    const id = await createKey(other.pem, { rate_limit: { requests_per_second: 1, burst: 2 } });
    const replayed = await other.sign(ORIGIN, id, list);
    expect((await service.call(replayed)).status).toBe(200);
    for (let i = 0; i < 5; i += 1) expect((await service.call(replayed)).status).toBe(401);
    expect((await service.call(await other.sign(ORIGIN, id, list))).status).toBe(200);
  });

  it('have their nonces stored for as long as they could be replayed', async () => {
    const query = <T>(statement: string, values: unknown[] = []) =>
      service.app.get(DataSource).query<T[]>(statement, values);
    const count = async () => (await query('SELECT id FROM signature_nonces')).length;
    await service.call(await signed(list));
    const before = await count();
    await service.app.get(UsedNonces).purgeSome();
    expect(await count()).toBe(before);
    await query('UPDATE signature_nonces SET expires_at = ?', ['2020-01-01 00:00:00.000']);
    await service.app.get(UsedNonces).purgeSome();
    expect(await count()).toBe(0);
  });

  it('are rejected as replays after a clock was an hour ahead', async () => {
    const nonces = service.app.get(UsedNonces);
    const nonce = randomBytes(16).toString('hex');
    expect(await nonces.use(keyId, nonce)).toBe(true);
    jest.useFakeTimers({ now: Date.now() + 3_600_000, doNotFake: [...TIMERS] });
    try {
      while (await nonces.purgeSome());
    } finally {
      jest.useRealTimers();
    }
    expect(await nonces.use(keyId, nonce)).toBe(false);
  });

  // Runs last, because the application that starts last receives the log of the process.
  it('are accepted once across all instances, even if they are replayed concurrently', async () => {
    const other = await TestApplication.start(database, SETTINGS);
    const replayed = await signed(create);
    expect((await service.call(replayed)).status).toBe(201);
    for (const instance of [service, other]) expect((await instance.call(replayed)).status).toBe(401);
    for (let round = 0; round < 10; round += 1) {
      const call = await signed(list);
      const calls = Array.from({ length: 8 }, (_, i): Promise<HttpResponse> =>
        (i % 2 ? other : service).call(call),
      );
      const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    }
    await other.close();
  });
});

/** Removes undefined headers, which Node rejects, but for `authorization`, which is then not added by default. */
function withoutUndefined({ headers = {}, ...call }: Call): Call {
  const given = Object.entries(headers).filter(
    ([name, value]) => value !== undefined || name === 'authorization',
  );
  return { ...call, headers: Object.fromEntries(given) };
}

/** Replaces a header of a signed request, or removes it. */
const withHeader = ({ headers, ...call }: Call, name: string, value: string | undefined): Call => ({
  ...call,
  headers: { ...headers, [name]: value },
});
