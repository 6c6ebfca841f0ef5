import { inspect } from 'node:util';
import { failure, type Outcome, scriptedFetch, success } from '../../test/support/scripted-fetch';
import { RelayerClient } from './client';
import {
  ApiError,
  ApprovalPendingError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedResponseError,
} from './errors';

const KEY = 'rk_abcdefghijkl_a-secret-that-must-not-be-shown';
const OPTIONS = { url: 'https://relayer.example.com/base/', apiKey: KEY };
const RELAYER = { path: { relayer_id: 'demo' } };
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };

function clientOf(outcomes: Outcome[], options: object = {}) {
  const { fetch, requests } = scriptedFetch(...outcomes);
  const retries = { baseDelayMs: 1 };
  return { client: new RelayerClient({ ...OPTIONS, retries, fetch, ...options }), requests };
}

const get = (client: RelayerClient): Promise<unknown> => client.get('/api/v1/relayers/{relayer_id}', RELAYER);
const patch = (client: RelayerClient): Promise<unknown> =>
  client.patch('/api/v1/relayers/{relayer_id}', { ...RELAYER, body: { name: 'x' } });
const send = (client: RelayerClient): Promise<unknown> =>
  client.relayer('demo').sendTransaction({ value: 10n ** 20n });
const sign = (client: RelayerClient): Promise<unknown> => client.relayer('demo').signTypedData(HASHES);
const signContract = (client: RelayerClient): Promise<unknown> =>
  client.send('post', '/api/v1/acme-ledger/contracts/{id}/sign', { path: { id: '1' } });
const remove = (client: RelayerClient): Promise<unknown> =>
  client.delete('/api/v1/relayers/{relayer_id}', RELAYER);
const cancel = (client: RelayerClient): Promise<unknown> => client.relayer('demo').cancelTransaction('t');
const replace = (client: RelayerClient): Promise<unknown> =>
  client.relayer('demo').replaceTransaction('t', { value: 1n });
const replaceAgain = (client: RelayerClient): Promise<unknown> =>
  client.relayer('demo').replaceTransaction('t', { value: 1n }, { isRepeatable: true });
const replaceByPath = (client: RelayerClient): Promise<unknown> =>
  client.send('put', '/api/v1/relayers/demo/transactions/t', { body: { value: '1' } });
const putNote = (client: RelayerClient): Promise<unknown> =>
  client.send('put', '/api/v1/acme-ledger/notes/first', { body: { text: 'hi' } });
const cancelAll = (client: RelayerClient): Promise<unknown> =>
  client.delete('/api/v1/relayers/{relayer_id}/transactions/pending', RELAYER);
const create = (client: RelayerClient): Promise<unknown> =>
  client.post('/api/v1/notifications', { body: { url: 'https://hooks.example.com' } });

describe('A request', () => {
  it('has the API key, a path below the base path of the service, and big integers as strings', async () => {
    const { client, requests } = clientOf([success({ id: 't' })]);
    await client.relayer('a/b').sendTransaction({ value: 10n ** 20n }, { idempotencyKey: 'order-1' });
    const [{ method, target, headers, body } = requests[0]!] = requests;
    expect([method, target, body]).toEqual([
      'POST',
      '/base/api/v1/relayers/a%2Fb/transactions',
      { value: '100000000000000000000' },
    ]);
    expect(Object.fromEntries(headers)).toEqual({
      accept: 'application/json',
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-1',
    });
  });

  it.each(['', '.', '..'])('is not sent if a path parameter is %j', async (id) => {
    const { client, requests } = clientOf([success({})]);
    await expect(client.relayer(id).get()).rejects.toThrow('relayer_id');
    expect(requests).toEqual([]);
  });

  it('does not reveal its API key', async () => {
    const { client } = clientOf([new TypeError('fetch failed')]);
    const error: unknown = await get(client).catch((reason: unknown) => reason);
    for (const shown of [client, client.relayer('demo'), error])
      expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain(KEY);
  });

  it.each(['rk_abcdefghijkl_broken\nsecret', 'rk_abcdefghijkl_shortened…', ''])(
    'refuses an API key that is not valid in a header: %j',
    (apiKey) => {
      const create = (): unknown => new RelayerClient({ ...OPTIONS, apiKey });
      expect(create).toThrow(new TypeError('apiKey must be visible ASCII characters'));
    },
  );

  it('accepts an API key with a trailing line break', async () => {
    const { client, requests } = clientOf([success({})], { apiKey: `${KEY}\n` });
    await get(client);
    expect(requests[0]!.headers.get('authorization')).toBe(`Bearer ${KEY}`);
  });

  it.each(['localhost:8080', 'ftp://relayer.example.com'])('refuses the URL %s', (url) => {
    expect(() => new RelayerClient({ ...OPTIONS, url })).toThrow('url must begin with https:// or http://');
  });

  it('is not sent with an idempotency key that is not valid in a header', async () => {
    const { client, requests } = clientOf([success({})]);
    const sent = client.relayer('demo').sendTransaction({ value: 1n }, { idempotencyKey: 'order\n42' });
    await expect(sent).rejects.toHaveProperty('name', 'TypeError');
    expect(requests).toEqual([]);
  });

  it.each(['127.0.0.1:8080', 'localhost:8080', 'relayer.example.com', ''])('refuses the URL %j', (url) => {
    const create = () => new RelayerClient({ ...OPTIONS, url });
    expect(create).toThrow(new TypeError('url must begin with https:// or http://'));
  });

  it.each(['/api/v1', '/api/v1/', '/relayer/api/v1'])('refuses a URL with the path %s', (path) => {
    const create = () => new RelayerClient({ ...OPTIONS, url: `https://relayer.example.com${path}` });
    expect(create).toThrow(new TypeError('url must not end in /api/v1, with which all paths begin'));
  });

  it('refuses a path that would change the host', async () => {
    const { client, requests } = clientOf([success({})]);
    await expect(client.send('get', 'api/v1/relayers')).rejects.toThrow(
      new TypeError('The path must begin with /, and is api/v1/relayers'),
    );
    expect(requests).toEqual([]);
  });

  it('requires a way to authenticate', () => {
    expect(() => new RelayerClient({ url: OPTIONS.url })).toThrow('Give either apiKey or authentication');
  });
});

describe('A failed request', () => {
  it.each([
    [400, BadRequestError],
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
    [413, ApiError],
    [429, TooManyRequestsError],
    [500, ApiError],
    [503, UnavailableError],
  ])('with status %i throws its error class', async (status, type) => {
    const { client } = clientOf([failure(status, { 'retry-after': '7' })], { retries: { attempts: 1 } });
    const error: unknown = await get(client).catch((reason: unknown) => reason);
    expect((error as Error).constructor).toBe(type);
    expect(error).toMatchObject({
      name: type.name,
      message: `${status} Short text: the long text`,
      ...{
        status,
        summary: 'Short text',
        error: 'the long text',
        requestId: 'request-1',
        retryAfterMs: 7000,
      },
    });
  });

  it('reports the response of a proxy as unavailable or unexpected', async () => {
    const page = { body: '<html>', headers: { 'content-type': 'text/html' } };
    await expect(get(clientOf([{ status: 502, ...page }]).client)).rejects.toThrow(UnavailableError);
    for (const status of [200, 204, 302, 404])
      await expect(
        get(clientOf([{ status, ...page, ...(status === 204 && { body: undefined }) }]).client),
      ).rejects.toThrow(UnexpectedResponseError);
  });

  it.each([{}, [], null, { status: 'ok' }, { success: true }, { success: false, data: {} }])(
    'reports JSON of another service as unexpected: %j',
    async (body) => {
      const { client } = clientOf([{ status: 200, body }]);
      for (const call of [get, sign, send, () => client.list('/api/v1/relayers').next()])
        await expect(call(client)).rejects.toThrow(UnexpectedResponseError);
    },
  );

  it('with status 202 throws ApprovalPendingError', async () => {
    const error = await failureOf({ id: 'change-1', status: 'pending' });
    expect(error).toBeInstanceOf(ApprovalPendingError);
    expect(error).toMatchObject({
      message: 'The request waits for approval as change change-1',
      change: { id: 'change-1' },
    });
  });

  it.each(['rejected', 'expired', 'failed', 'applied'])(
    'may be one that no longer waits for approval: %s',
    async (status) => {
      const error = await failureOf({ id: 'change-1', status });
      expect(error).toMatchObject({
        message: `The request became change change-1, which is ${status}`,
        change: { status },
      });
    },
  );

  const failureOf = (data: object): Promise<unknown> => {
    const body = { success: true, data, error: null };
    return patch(clientOf([{ status: 202, body }]).client).catch((error: unknown) => error);
  };
});

describe('A retry', () => {
  const MISSING = failure(404, {}, 'Relayer with ID demo not found');
  const LOST = [
    ...[new TypeError('fetch failed'), failure(502), failure(503), failure(504)],
    // Proxies respond with these instead of the service, which may have received the request.
    ...[408, 500, 520, 524].map((status) => ({ status, body: '<html>' })),
  ];

  it.each([
    ['GET', get],
    ['a signature', sign],
    ['a transaction', send],
    ['a deletion', remove],
    ['a cancellation', cancel],
    ['a PUT', putNote],
    ['a replacement that may be repeated', replaceAgain],
  ])('follows a lost response to %s', async (_what, call) => {
    for (const lost of LOST) {
      const { client, requests } = clientOf([lost, lost, success({ id: 't' })]);
      await call(client);
      expect(requests).toHaveLength(3);
    }
  });

  it.each([
    ['PATCH', patch],
    ['a POST that creates', create],
    ['a POST to a route of a plugin', signContract],
    ['a replacement, each of which is a further attempt', replace],
    ['a replacement by its path', replaceByPath],
    ['the cancellation of all transactions, whose ids only the first response has', cancelAll],
  ])('does not follow a lost response to %s, which may have been processed', async (_what, call) => {
    for (const lost of LOST) {
      const { client, requests } = clientOf([lost, success({})]);
      await expect(call(client)).rejects.toThrow();
      expect(requests).toHaveLength(1);
    }
  });

  it('follows status 429 for any request, as it was not processed', async () => {
    for (const call of [get, patch, create, sign, send]) {
      const { client, requests } = clientOf([failure(429), success({ id: 't' })]);
      await call(client);
      expect(requests).toHaveLength(2);
    }
  });

  it.each([400, 401, 403, 404, 409, 413, 500])('does not follow status %i', async (status) => {
    const { client, requests } = clientOf([failure(status), success({})]);
    await expect(get(client)).rejects.toThrow(ApiError);
    expect(requests).toHaveLength(1);
  });

  it.each([302, 404, 413])(
    'does not follow status %i of a proxy, which has refused the request',
    async (status) => {
      const { client, requests } = clientOf([{ status, body: '<html>' }, success({})]);
      await expect(get(client)).rejects.toThrow(UnexpectedResponseError);
      expect(requests).toHaveLength(1);
    },
  );

  it('of a transaction has the same idempotency key, and a new call has another', async () => {
    const { client, requests } = clientOf([failure(503), success({ id: 't' })]);
    await send(client);
    await send(client);
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('of a deletion that gets 404 fails with the remark that an attempt before it may have deleted the resource', async () => {
    for (const lost of LOST) {
      const { client, requests } = clientOf([lost, failure(429), MISSING]);
      const error = await remove(client).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error).toMatchObject({
        ...{ mayBeDeleted: true, status: 404, summary: 'Relayer with ID demo not found' },
        message: expect.stringContaining('an earlier attempt may have deleted it') as string,
      });
      expect(requests).toHaveLength(3);
    }
  });

  it('has the default of an option that is undefined', async () => {
    const { client, requests } = clientOf(Array(10).fill(failure(503)), {
      retries: { attempts: undefined, baseDelayMs: 1, maxDelayMs: undefined },
    });
    await expect(get(client)).rejects.toThrow(UnavailableError);
    expect(requests).toHaveLength(4);
  });

  it.each([
    ['a deletion that was only refused before', remove, [failure(429), MISSING]],
    ['a deletion that is not repeated', remove, [MISSING]],
    ['a deletion, where a proxy responds', remove, [failure(503), failure(404)]],
    ['a cancellation, which deletes nothing', cancel, [failure(503), MISSING]],
    ['a read', get, [failure(503), MISSING]],
  ])('fails with 404 for %s', async (_what, call, outcomes) => {
    await expect(call(clientOf(outcomes).client)).rejects.toMatchObject({ status: 404, mayBeDeleted: false });
  });

  it('waits for as long as Retry-After says', async () => {
    const { client, requests } = clientOf([failure(429, { 'retry-after': '1' }), success({})]);
    const began = performance.now();
    await get(client);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    expect(requests).toHaveLength(2);
  });

  it('does not follow if Retry-After is too long', async () => {
    const { client, requests } = clientOf([failure(429, { 'retry-after': '31' }), success({})]);
    await expect(get(client)).rejects.toMatchObject({ retryAfterMs: 31_000 });
    expect(requests).toHaveLength(1);
  });

  it('stops after the allowed number of attempts', async () => {
    const { client, requests } = clientOf([failure(503)]);
    await expect(get(client)).rejects.toThrow(UnavailableError);
    expect(requests).toHaveLength(4);
  });

  it('has a time limit that may have a fraction, as the rest of a longer one does', async () => {
    const { client } = clientOf([success({})], { timeoutMs: 1500.5 });
    expect(await get(client)).toEqual({});
    expect(await client.get('/api/v1/relayers/{relayer_id}', { ...RELAYER, timeoutMs: 0.5 })).toEqual({});
  });

  it('follows a response that does not arrive in time', async () => {
    const { client, requests } = clientOf(['hang', success({})], { timeoutMs: 50 });
    await get(client);
    expect(requests).toHaveLength(2);
    const { client: other } = clientOf(['hang'], { timeoutMs: 50, retries: { attempts: 1 } });
    const error: unknown = await get(other).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(
      'No response in time from https://relayer.example.com: GET /api/v1/relayers/demo',
    );
  });

  it('that gets no connection says where to and why, without credentials', async () => {
    const cause = Object.assign(new Error(''), { code: 'ECONNREFUSED' });
    const url = 'https://user:s3cret@relayer.example.com:8080/base';
    const fetch = (): Promise<never> => Promise.reject(new TypeError('fetch failed', { cause }));
    const { client } = clientOf([], { url, fetch, retries: { attempts: 1 } });
    const error: unknown = await get(client).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toBe(
      'No response from https://relayer.example.com:8080 (ECONNREFUSED): GET /api/v1/relayers/demo',
    );
  });

  it('does not follow once the caller has aborted, during a request or a pause', async () => {
    for (const [outcome, baseDelayMs] of [['hang', 1] as const, [failure(503), 60_000] as const]) {
      const { client, requests } = clientOf([outcome], { retries: { baseDelayMs } });
      const signal = AbortSignal.timeout(50);
      await expect(
        client.get('/api/v1/relayers/{relayer_id}', { ...RELAYER, signal }),
      ).rejects.toHaveProperty('name', 'TimeoutError');
      expect(requests).toHaveLength(1);
    }
  });
});
