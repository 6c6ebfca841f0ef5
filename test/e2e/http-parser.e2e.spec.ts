import { describeService } from '../support/describe-service';
import { RawClient } from '../support/raw-client';
import { apiKey } from '../support/keys';

const KEY = apiKey('parser');
const LIST = 'GET /api/v1/relayers';

const OPTIONS = {
  settings: { API_KEY: KEY },
  http: { headersTimeoutMs: 2_000, requestTimeoutMs: 4_000 },
  onlySqlite: true,
};

describeService('The HTTP server', OPTIONS, ({ service }) => {
  let client: RawClient;

  beforeEach(async () => {
    client = await RawClient.open(service.url);
  });

  afterEach(() => {
    client.destroy();
  });

  const expectRejection = async (status: number, message: string, error: string): Promise<void> => {
    const response = await client.response();
    expect(response.status).toBe(status);
    expect(JSON.parse(response.body)).toEqual({ success: false, data: null, error, message });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      connection: 'close',
      'cache-control': 'no-store',
    });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    await client.untilClosed();
    expect(client.responses).toHaveLength(1);
  };

  const NOT_HTTP = 'the request is not valid HTTP/1.1';

  it.each([
    ['no HTTP', 'hello\r\n\r\n', NOT_HTTP],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', NOT_HTTP],
    ['another version', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n', NOT_HTTP],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', NOT_HTTP],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', NOT_HTTP],
    ['a length that is not a number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', NOT_HTTP],
    [
      'both a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      NOT_HTTP,
    ],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', NOT_HTTP],
    [
      'no Host',
      'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n',
      'exactly one Host header is required',
    ],
    [
      'two Hosts',
      'GET /v1/health HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close\r\n\r\n',
      'exactly one Host header is required',
    ],
  ])('returns 400 in the envelope for %s', async (_what, text, error) => {
    client.write(text);
    await expectRejection(400, 'Bad Request', error);
  });

  it('returns 400 for an invalid chunk', async () => {
    client.write(
      'POST /api/v1/relayers HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${KEY}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      'zz\r\n',
    );
    await expectRejection(400, 'Bad Request', 'the request body is not valid HTTP/1.1');
  });

  it('logs no error for an invalid chunk that arrives with the headers of an anonymous request', async () => {
    const errors = service.logs.filter((line) => line.includes('"level":"error"')).length;
    client.write('POST /api/v1/relayers HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '', 'zz\r\n');
    expect((await client.response()).status).toBe(400);
    await client.untilClosed();
    expect(service.logs.filter((line) => line.includes('"level":"error"'))).toHaveLength(errors);
  });

  it.each(['http://[/api/v1/relayers', 'http://a b/', 'http://%/v1/health'])(
    'responds in the envelope to the target %s, which no router can parse',
    async (target) => {
      client.write(`GET ${target.replace(' ', '%20')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      const response = await client.response();
      expect(response.status).toBe(404);
      expect(JSON.parse(response.body)).toMatchObject({ success: false, data: null });
      expect(response.headers).toMatchObject({ 'cache-control': 'no-store' });
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('accepts an absolute target', async () => {
    client.write('GET http://x/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect((await client.response()).status).toBe(200);
  });

  it('refuses a transfer coding other than chunks', async () => {
    client.write(
      'POST /api/v1/relayers HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${KEY}`,
      'Content-Type: application/json',
      'Transfer-Encoding: gzip, chunked',
      'Connection: close',
      '',
      '2\r\n{}\r\n0\r\n\r\n',
    );
    expect((await client.response()).status).toBe(415);
  });

  it('returns 400 if the request ends within the headers', async () => {
    client.write('GET / HTTP/1.1\r\nHost:');
    client.end();
    await expectRejection(400, 'Bad Request', 'the request ended early');
  });

  it('returns 431 for long headers', async () => {
    client.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17 * 1024)}\r\n\r\n`);
    await expectRejection(
      431,
      'Request Header Fields Too Large',
      'the request line and headers must not exceed 16 KiB',
    );
  });

  it('returns 431 for a long path', async () => {
    client.write(`GET /${'x'.repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expectRejection(
      431,
      'Request Header Fields Too Large',
      'the request line and headers must not exceed 16 KiB',
    );
  });

  it('returns 413 for long chunk extensions', async () => {
    client.write(
      'POST /api/v1/relayers HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${KEY}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      `1;${'x'.repeat(17 * 1024)}\r\n`,
    );
    await expectRejection(
      413,
      'Payload Too Large',
      'the chunk extensions of the request body must not exceed 16 KiB',
    );
  });

  it.each([
    ['nothing comes', []],
    ['the headers never end', ['GET / HTTP/1.1', 'Host: x', '']],
  ])('returns 408 within a second of the time-out if %s', async (_what, lines) => {
    if (lines.length > 0) client.write(...lines);
    await expectRejection(408, 'Request Timeout', 'the request took too long to arrive');
    expect(client.seconds).toBeGreaterThan(1.9);
    expect(client.seconds).toBeLessThan(3);
  });

  it('returns 408 if headers trickle in', async () => {
    client.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const trickle = setInterval(() => {
      client.write('x');
    }, 100);
    await expectRejection(408, 'Request Timeout', 'the request took too long to arrive');
    clearInterval(trickle);
    expect(client.seconds).toBeLessThan(3);
  });

  it('closes a connection with an unread body after the time-out of a request', async () => {
    client.request('POST /no/such/route', { 'Content-Length': '100' });
    const trickle = setInterval(() => {
      client.write(' ');
    }, 200);
    expect((await client.response()).status).toBe(404);
    await client.untilClosed();
    clearInterval(trickle);
    expect(client.seconds).toBeLessThan(5.5);
  });

  it('sends the response to a request even if invalid data follows it', async () => {
    client.request(LIST, { authorization: `Bearer ${KEY}` });
    client.write('garbage\r\n\r\n');
    await client.untilClosed();
    expect(client.responses.map(({ status }) => status)).toEqual([200]);
  });

  it('counts rejected requests, and logs them at level debug', async () => {
    client.write('hello\r\n\r\n');
    const id = (await client.response()).headers['x-request-id']!;
    const { text } = await service.get('/debug/metrics/scrape');
    expect(text).toMatch(/^http_requests_total\{route="unmatched",method="OTHER",status="400"\} \d+$/m);
    expect(text).toMatch(/^http_requests_total\{route="unmatched",method="OTHER",status="431"\} \d+$/m);
    expect(text).toMatch(/^http_requests_refused_total\{reason="headers_too_large"\} \d+$/m);
    expect(text).toMatch(/^http_requests_refused_total\{reason="request_timeout"\} \d+$/m);
    const line = service.logs.find((entry) => entry.includes(id)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'debug', code: 'invalid_request', message: NOT_HTTP });
    expect(service.logs.join('\n')).not.toMatch(/HPE_/);
  });

  it('closes connections on CONNECT, and ignores upgrade requests', async () => {
    client.request('CONNECT example.com:443');
    await client.untilClosed();
    const other = await RawClient.open(service.url);
    other.request('GET /v1/health', { Connection: 'Upgrade', Upgrade: 'websocket' });
    expect((await other.response()).body).toBe('OK');
    other.destroy();
  });

  it.each([
    ['/api/v1/relayers', { authorization: `Bearer ${KEY}` }],
    ['/v1/health', {}],
    ['/metrics', {}],
    ['/api-docs/openapi.json', {}],
    ['/api-docs/swagger-ui.css', {}],
  ])('never responds to %s with 304', async (path, headers) => {
    const first = await service.get(path);
    for (const conditions of [
      { 'if-none-match': '*' },
      { 'if-none-match': first.headers.etag ?? '"x"' },
      { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { 'if-modified-since': first.headers['last-modified'] ?? 'Fri, 01 Jan 2100 00:00:00 GMT' },
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ])
      expect((await service.get(path, { ...headers, ...conditions })).status).toBe(200);
  });

  it.each(['bytes=0-9', 'bytes=99999999-', 'bytes=-0', 'bytes=5-1', 'x'])(
    'ignores the range %s and sends the whole page',
    async (range) => {
      const path = '/api-docs/swagger-ui.css';
      const whole = await service.get(path);
      const part = await service.get(path, { range });
      expect([part.status, part.text.length]).toEqual([200, whole.text.length]);
      expect(part.headers['content-range']).toBeUndefined();
    },
  );
});
