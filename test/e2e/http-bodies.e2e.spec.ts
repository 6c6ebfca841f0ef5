import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { RawClient } from '../support/raw-client';
import { apiKey } from '../support/keys';

const MEBIBYTE = 1024 * 1024;
const SIGN = '/api/v1/relayers/cow/sign-typed-data';
const BODY = JSON.stringify({ domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) });
const KEY = apiKey('bodies');
const AUTHORIZED = { authorization: `Bearer ${KEY}` };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const WAITS = { Expect: '100-continue' };

const failure = (message: string, error: string) => ({ success: false, data: null, error, message });
const UNAUTHORIZED = failure(
  'Unauthorized',
  'valid credentials are required: one Authorization header of the form "Bearer <API key>", or a signature',
);
const TOO_LARGE = failure('Payload Too Large', 'the request body must not exceed 1 MiB');
const ENCODED = failure(
  'Unsupported Media Type',
  'Content-Encoding must be identity: send the body uncompressed',
);

const OPTIONS = {
  settings: { API_KEY: KEY },
  http: { maxBodyBytes: 3 * MEBIBYTE, requestTimeoutMs: 5_000 },
  onlySqlite: true,
};

describeService('Request bodies', OPTIONS, ({ service }) => {
  let client: RawClient;

  beforeAll(() => addRelayer(service, { id: 'cow' }));

  beforeEach(async () => {
    client = await RawClient.open(service.url);
  });

  afterEach(() => {
    client.destroy();
  });

  const expectFailure = async (count: number, status: number, body: object): Promise<void> => {
    const response = await client.response(count);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toEqual(body);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  };

  const expectStillOpen = async (responses: number): Promise<void> => {
    client.request('GET /v1/health');
    expect((await client.response(responses + 1)).body).toBe('OK');
  };

  describe('with a content encoding', () => {
    const zeros = Buffer.alloc(32 * MEBIBYTE);
    const brotli = brotliCompressSync(zeros);
    const bombs: [string, Buffer][] = [
      ['gzip', gzipSync(zeros)],
      ['x-gzip', gzipSync(zeros)],
      ['deflate', deflateSync(zeros)],
      ['br', brotli],
      ['zstd', Buffer.from('28b52ffd', 'hex')],
      ['compress', Buffer.from('1f9d90', 'hex')],
      ['snappy', Buffer.from('x')],
      ['identity, gzip', gzipSync('{}')],
      ['identity,identity', Buffer.from('{}')],
      ['GZIP', gzipSync('{}')],
    ];

    it.each(bombs)('are rejected: %s', async (encoding, body) => {
      const before = process.memoryUsage().rss;
      const response = await service.call({
        method: 'POST',
        path: SIGN,
        body,
        headers: { 'content-encoding': encoding },
      });
      expect([response.status, response.body]).toEqual([415, ENCODED]);
      expect(response.headers['accept-encoding']).toBe('identity');
      expect(process.memoryUsage().rss - before).toBeLessThan(32 * MEBIBYTE);
    });

    it('are rejected if the header is repeated', async () => {
      client.request(
        `POST ${SIGN}`,
        {
          ...AUTHORIZED,
          ...JSON_TYPE,
          'Content-Encoding': 'identity',
          'content-encoding': 'br',
          'Content-Length': '2',
        },
        '{}',
      );
      await expectFailure(1, 415, ENCODED);
    });

    it('are rejected on routes that take no body', async () => {
      const headers = { 'content-encoding': 'gzip' };
      const call = { method: 'DELETE', path: '/api/v1/relayers/nobody', body: 'x', headers };
      expect((await service.call(call)).status).toBe(415);
    });

    it.each(['identity', 'Identity', 'IDENTITY'])('are read if it is %s', async (encoding) => {
      const headers = { 'content-encoding': encoding };
      expect((await service.call({ method: 'POST', path: SIGN, body: BODY, headers })).status).toBe(200);
    });

    it('get 401 without a token', async () => {
      const headers = { authorization: undefined, 'content-encoding': 'br' };
      const response = await service.call({ method: 'POST', path: SIGN, body: brotli, headers });
      expect([response.status, response.body]).toEqual([401, UNAUTHORIZED]);
    });
  });

  describe('that declare more than 1 MiB', () => {
    const LONG = { ...JSON_TYPE, 'Content-Length': String(MEBIBYTE + 1) };
    const paths: [string, string][] = [
      ['POST', SIGN],
      ['GET', '/api/v1/relayers'],
      ['DELETE', '/api/v1/relayers/cow'],
      ['POST', '/api/v1/no/such/route'],
      ['PUT', '/api/v1/relayers/cow'],
      ['GET', '/API/v1/relayers'],
    ];

    it.each(paths)('get 401 immediately without a token: %s %s', async (method, path) => {
      client.request(`${method} ${path}`, LONG);
      await expectFailure(1, 401, UNAUTHORIZED);
      expect(client.responses[0]?.headers).toMatchObject({
        connection: 'close',
        'www-authenticate': 'Bearer',
      });
      await client.untilClosed();
      expect(client.seconds).toBeLessThan(2);
    });

    it.each([...paths, ['POST', '/v1/health'], ['POST', '/api/v1/ready'], ['GET', '/no/such/route']])(
      'get 413 immediately with a token: %s %s',
      async (method, path) => {
        client.request(`${method} ${path}`, { ...LONG, ...AUTHORIZED });
        await expectFailure(1, 413, TOO_LARGE);
        expect(client.responses[0]?.headers.connection).toBe('close');
        await client.untilClosed();
      },
    );

    it('get 413 without a token on public routes', async () => {
      client.request('GET /v1/health', LONG);
      await expectFailure(1, 413, TOO_LARGE);
    });

    it('are not read, however much the client sends', async () => {
      const accepted = new Promise<Socket>((resolve) =>
        service.app.getHttpServer().once('connection', resolve),
      );
      const sender = await RawClient.open(service.url);
      const socket = await accepted;
      sender.request(`POST ${SIGN}`, { ...LONG, 'Content-Length': String(100 * MEBIBYTE) });
      const piece = 'x'.repeat(MEBIBYTE);
      for (let i = 0; i < 16; i += 1) sender.write(piece);
      expect((await sender.response()).status).toBe(401);
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(socket.bytesRead).toBeLessThan(MEBIBYTE / 2);
      sender.destroy();
    });

    it('get their response even if the client sends everything before it reads', async () => {
      client.request(`POST ${SIGN}`, { ...LONG, ...AUTHORIZED }, 'x'.repeat(MEBIBYTE + 1));
      await expectFailure(1, 413, TOO_LARGE);
    });
  });

  describe('in chunks', () => {
    const CHUNKED = { ...AUTHORIZED, ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

    it('are read, and the connection stays open', async () => {
      client.request(`POST ${SIGN}`, CHUNKED, chunk(BODY.slice(0, 20)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.write(`${chunk(BODY.slice(20))}0\r\n\r\n`);
      expect((await client.response()).status).toBe(200);
      await expectStillOpen(1);
    });

    it('are cut off at 1 MiB', async () => {
      client.request(`POST ${SIGN}`, CHUNKED);
      for (let i = 0; i < 17; i += 1) client.write(chunk('x'.repeat(64 * 1024)));
      await expectFailure(1, 413, TOO_LARGE);
      expect(client.responses[0]?.headers.connection).toBe('close');
      await client.untilClosed();
    });

    it('are not read without a token, on unknown routes, and on routes that take no body', async () => {
      for (const [head, status] of [
        [`POST ${SIGN}`, 401],
        ['POST /no/such/route', 404],
        ['GET /v1/health', 200],
      ] as const) {
        const other = await RawClient.open(service.url);
        other.request(head, { 'Transfer-Encoding': 'chunked' }, chunk('x'));
        expect(await other.response()).toMatchObject({ status, headers: { connection: 'close' } });
        await other.untilClosed();
        other.destroy();
      }
    });
  });

  describe('that no handler reads', () => {
    it.each([
      ['401', 'POST', SIGN, {}, 401],
      ['an unknown route', 'POST', '/no/such/route', {}, 404],
      ['a route that takes no body', 'GET', '/api/v1/relayers', AUTHORIZED, 200],
      ['another type', 'POST', SIGN, { ...AUTHORIZED, 'Content-Type': 'text/plain' }, 400],
    ])(
      'are discarded up to 64 KiB, and the connection stays open: %s',
      async (_what, method, path, headers, status) => {
        const body = 'x'.repeat(64 * 1024);
        client.request(`${method} ${path}`, { ...headers, 'Content-Length': String(body.length) });
        expect((await client.response()).status).toBe(status);
        expect(client.responses[0]?.headers.connection).toBe('keep-alive');
        client.write(body);
        await expectStillOpen(1);
      },
    );

    it('close the connection beyond 64 KiB', async () => {
      client.request('POST /no/such/route', { 'Content-Length': String(64 * 1024 + 1) });
      expect(await client.response()).toMatchObject({ status: 404, headers: { connection: 'close' } });
    });

    it.each(['GET', 'HEAD', 'POST', 'DELETE'])(
      '%s of an unknown route keeps the connection open',
      async (method) => {
        client.request(`${method} /no/such/route`);
        await service.get('/v1/health');
        client.request('GET /v1/health');
        await expectOk();
      },
    );

    const expectOk = async (): Promise<void> => {
      for (let i = 0; i < 100 && !client.text.endsWith('OK'); i += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(client.text).toMatch(/^HTTP\/1.1 404 [^]*HTTP\/1.1 200 OK\r\n[^]*OK$/);
    };
  });

  describe('with Expect: 100-continue', () => {
    it('are requested after the guards', async () => {
      client.request(`POST ${SIGN}`, {
        ...AUTHORIZED,
        ...JSON_TYPE,
        ...WAITS,
        'Content-Length': String(BODY.length),
      });
      expect((await client.response()).status).toBe(100);
      client.write(BODY);
      expect((await client.response(2)).status).toBe(200);
    });

    it.each([
      ['without a token', `POST ${SIGN}`, {}, 401],
      ['with an encoding', `POST ${SIGN}`, { ...AUTHORIZED, ...JSON_TYPE, 'Content-Encoding': 'gzip' }, 415],
      ['of another type', `POST ${SIGN}`, AUTHORIZED, 400],
      ['on an unknown route', 'POST /no/such/route', AUTHORIZED, 404],
    ])('are not requested %s', async (_what, head, headers, status) => {
      client.request(head, { ...headers, ...WAITS, 'Content-Length': String(BODY.length) });
      expect(await client.response()).toMatchObject({ status, headers: { connection: 'close' } });
    });

    it('are not requested if they are too long', async () => {
      client.request(`POST ${SIGN}`, { ...AUTHORIZED, ...WAITS, 'Content-Length': '99999999999' });
      await expectFailure(1, 413, TOO_LARGE);
    });

    it.each(['200-ok', '100-continue, more', 'x'])(
      'get 417 if the header has another value: %s',
      async (expect_) => {
        client.request(`POST ${SIGN}`, { ...AUTHORIZED, Expect: expect_, 'Content-Length': '2' }, '{}');
        await expectFailure(1, 417, failure('Expectation Failed', 'Expect must be 100-continue'));
        await client.untilClosed();
      },
    );
  });

  describe('that end early', () => {
    it('get a response if the client only closed its sending side', async () => {
      client.request(`POST ${SIGN}`, { ...AUTHORIZED, ...JSON_TYPE, 'Content-Length': '100' }, '{');
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.end();
      await expectFailure(1, 400, failure('Bad Request', 'the request body ended early'));
      await client.untilClosed();
    });

    it('are logged if the client has disconnected', async () => {
      const id = 'gone-1';
      client.request(`POST ${SIGN}`, {
        ...AUTHORIZED,
        ...JSON_TYPE,
        'x-request-id': id,
        'Content-Length': '100',
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
      client.destroy();
      const lines = (): Record<string, unknown>[] =>
        service.logs
          .filter((line) => line.includes(id))
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      for (let i = 0; i < 100 && lines().length < 2; i += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(lines().map(({ message }) => message)).toContain('the request body ended early');
    });

    it('get 408 if the rest does not arrive in time', async () => {
      client.request(`POST ${SIGN}`, { ...AUTHORIZED, ...JSON_TYPE, 'Content-Length': '100' }, '{');
      await expectFailure(1, 408, failure('Request Timeout', 'the request took too long to arrive'));
      expect(client.seconds).toBeGreaterThan(4.9);
      expect(client.seconds).toBeLessThan(6);
      await client.untilClosed();
    });

    it('get 408 if they trickle in', async () => {
      client.request(`POST ${SIGN}`, { ...AUTHORIZED, ...JSON_TYPE, 'Content-Length': '100' });
      const trickle = setInterval(() => {
        client.write(' ');
      }, 100);
      await expectFailure(1, 408, failure('Request Timeout', 'the request took too long to arrive'));
      clearInterval(trickle);
      expect(client.seconds).toBeLessThan(6);
    });
  });

  describe('beyond the memory limit of a process', () => {
    it('get 503 with Retry-After, while requests without a body are served', async () => {
      const clients = await Promise.all(Array.from({ length: 4 }, () => RawClient.open(service.url)));
      for (const each of clients) {
        each.request(`POST ${SIGN}`, { ...AUTHORIZED, ...JSON_TYPE, 'Content-Length': String(MEBIBYTE) });
        each.write('x'.repeat(MEBIBYTE - 1));
      }
      const rejected = (): RawClient[] => clients.filter(({ responses }) => responses.length > 0);
      for (let i = 0; i < 100 && rejected().length === 0; i += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      const [response] = rejected()[0]!.responses;
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
      expect(JSON.parse(response!.body)).toEqual(
        failure('Service Unavailable', 'too many request bodies are being processed; see Retry-After'),
      );
      expect((await service.get('/v1/health')).status).toBe(200);
      expect((await service.get('/v1/ready')).status).toBe(200);
      expect((await service.get('/api/v1/relayers')).status).toBe(200);
      const held = Number(
        /^http_request_bodies_bytes (\d+)$/m.exec((await service.get('/debug/metrics/scrape')).text)?.[1],
      );
      expect(held).toBeGreaterThan(2 * MEBIBYTE);
      expect(held).toBeLessThanOrEqual(3 * MEBIBYTE);
      for (const each of clients) each.destroy();
      for (let i = 0; i < 100 && (await service.post(SIGN, JSON.parse(BODY))).status !== 200; i += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect((await service.get('/metrics/http_request_bodies_bytes')).text).toMatch(
        /^http_request_bodies_bytes 0$/m,
      );
    });
  });
});
