import type { HttpSettings } from '../../src/config/app-config';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';
import { RawClient } from '../support/raw-client';
import { apiKey } from '../support/keys';

const KEY = apiKey('connections');
const AUTHORIZED = { authorization: `Bearer ${KEY}` };
const MEBIBYTE = 1024 * 1024;
const LIST = 'GET /api/v1/relayers';
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };

describeService('Connections', { startFor: 'none', onlySqlite: true }, ({ service, database }) => {
  let clients: RawClient[];

  beforeEach(() => {
    clients = [];
  });

  const start = async (settings: Record<string, string>, http: Partial<HttpSettings> = {}): Promise<void> => {
    await service.start(database, { API_KEY: KEY, ...settings }, { http });
    await addRelayer(service, { id: 'cow' });
  };

  const open = async (count = 1, from?: string): Promise<RawClient[]> => {
    const opened: RawClient[] = [];
    for (let i = 0; i < count; i += 1) opened.push(await RawClient.open(service.url, from));
    clients.push(...opened);
    return opened;
  };

  const openCount = (those: RawClient[]): number => those.filter(({ closed }) => !closed).length;

  const metric = async (name: string): Promise<number> => {
    const { text } = await service.get('/debug/metrics/scrape');
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1),
    );
  };

  describe('of one client address', () => {
    beforeEach(() => start({ HTTP_MAX_CONNECTIONS_PER_ADDRESS: '5' }));

    it('are limited without a valid token: a new connection replaces the oldest', async () => {
      const first = await open(5);
      const [more] = await open(1);
      await until('the oldest to be closed', () => first[0]!.closed);
      expect(openCount(first)).toBe(4);
      more!.request('GET /v1/health');
      expect((await more!.response()).body).toBe('OK');
      expect(await metric('http_connections_closed_total{reason="address_limit"}')).toBeGreaterThan(0);
    });

    it('are counted separately from those of other addresses', async () => {
      const others = await open(5, '127.0.0.2');
      await open(20);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(openCount(others)).toBe(5);
    });

    it('are neither counted nor closed for others if they have a valid token', async () => {
      const known: RawClient[] = [];
      for (let i = 0; i < 8; i += 1) {
        known.push(...(await open()));
        known[i]!.request(LIST, AUTHORIZED);
        expect((await known[i]!.response()).status).toBe(200);
      }
      const strangers = await open(20);
      for (const client of strangers) client.request(LIST, { authorization: 'Bearer wrong' });
      await until('the oldest to be closed', () => openCount(strangers) === 5);
      expect(openCount(known)).toBe(8);
      expect(await metric('http_connections{token="yes"}')).toBeGreaterThanOrEqual(8);
    });
  });

  it('are not counted by address behind a trusted proxy', async () => {
    await start({ HTTP_MAX_CONNECTIONS_PER_ADDRESS: '5', TRUST_PROXY: 'loopback' });
    const those = await open(20);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(openCount(those)).toBe(20);
  });

  describe('without a request', () => {
    const idle = async (): Promise<RawClient> => {
      const [client] = await open(1);
      client!.request('GET /v1/health');
      await client!.response();
      return client!;
    };

    it('stay open for longer than load balancers keep them', async () => {
      await start({});
      const { responses } = await idle();
      expect(responses[0]!.headers['keep-alive']).toBe('timeout=75');
    });

    it('are closed after the time that is set', async () => {
      await start({ HTTP_KEEP_ALIVE_SECONDS: '1' });
      const client = await idle();
      expect(client.responses[0]!.headers['keep-alive']).toBe('timeout=1');
      expect(client.closed).toBe(false);
      await until('the connection to be closed', () => client.closed);
    });
  });

  describe('of all clients', () => {
    beforeEach(() => start({ HTTP_MAX_CONNECTIONS: '10' }));

    it('are limited: a new connection replaces the oldest without a valid token', async () => {
      const known = (await open(1))[0]!;
      known.request(LIST, AUTHORIZED);
      await known.response();
      const strangers = await open(30);
      await until('the oldest to be closed', () => openCount(strangers) <= 9);
      expect(known.closed).toBe(false);
      expect((await service.get('/v1/health')).status).toBe(200);
      expect((await service.post('/api/v1/relayers/cow/sign-typed-data', HASHES)).status).toBe(200);
    });

    it('with a request in progress are never closed for others: probes succeed, all other requests get 503', async () => {
      const busy = await open(10);
      for (const client of busy) {
        const headers = { ...AUTHORIZED, 'Content-Type': 'application/json', 'Content-Length': '10' };
        client.request('PATCH /api/v1/relayers/cow', headers, '{');
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      const [probe] = await open(1);
      probe!.request('GET /v1/ready');
      expect((await probe!.response()).status).toBe(200);
      const [late] = await open(1);
      late!.request(LIST, AUTHORIZED);
      const response = await late!.response();
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(JSON.parse(response.body)).toEqual({
        success: false,
        data: null,
        error: 'too many connections have requests in progress',
        message: 'Service Unavailable',
      });
      expect(openCount(busy)).toBe(10);
      for (const client of busy) client.destroy();
      await until('room', async () => (await service.get('/api/v1/relayers')).status === 200);
    });
  });

  describe('with pipelined requests', () => {
    beforeEach(() => start({}));

    it('get their responses in order', async () => {
      const [client] = await open();
      for (let i = 0; i < 20; i += 1)
        client!.request(i % 2 ? LIST : 'GET /v1/health', { ...AUTHORIZED, 'x-request-id': `r-${i}` });
      await client!.response(20);
      expect(client!.responses.map(({ headers }) => headers['x-request-id'])).toEqual(
        Array.from({ length: 20 }, (_, i) => `r-${i}`),
      );
    });

    it('are closed if too many requests are pipelined at once', async () => {
      const [client] = await open();
      client!.write(`${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`.repeat(1000));
      await client!.untilClosed();
      expect(client!.responses.length).toBeLessThanOrEqual(64);
      expect(await metric('http_connections_closed_total{reason="pipelining"}')).toBe(1);
      expect(service.logs.filter((line) => line.includes('"route":"/api/v1/relayers"')).length).toBeLessThan(
        80,
      );
    });
  });

  describe('whose client does not read', () => {
    const DOCUMENT = 'GET /api-docs/openapi.json';

    it('are closed once a response has been unread for the time-out', async () => {
      await start({}, { unreadTimeoutMs: 2_000 });
      const [client] = await open();
      client!.pause();
      for (let i = 0; i < 60; i += 1) client!.request(DOCUMENT);
      await until('bytes that nobody reads', async () => (await metric('http_unread_responses_bytes')) > 0);
      const begin = performance.now();
      await until('the connection to be closed', async () => {
        return (await metric('http_connections_closed_total{reason="unread_response"}')) === 1;
      });
      expect(performance.now() - begin).toBeGreaterThan(1_500);
      expect(performance.now() - begin).toBeLessThan(15_000);
      await until('the bytes to be free', async () => (await metric('http_unread_responses_bytes')) === 0);
    });

    it('are closed beyond the limit of unread bytes of a process, those that waited longest first', async () => {
      await start({}, { maxUnreadBytes: MEBIBYTE });
      const readers = await open(6);
      for (const client of readers) client.pause();
      for (const client of readers) {
        for (let i = 0; i < 30; i += 1) client.request(DOCUMENT);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      const closed = await metric('http_connections_closed_total{reason="unread_bytes"}');
      expect(closed).toBeGreaterThan(0);
      expect(closed).toBeLessThan(6);
      expect(await metric('http_unread_responses_bytes')).toBeLessThanOrEqual(MEBIBYTE);
      readers[5]!.resume();
      await until('the responses of the last', () => readers[5]!.responses.length === 30);
      expect((await service.get('/api/v1/relayers')).status).toBe(200);
    });

    it('stay open if it reads slowly but in time', async () => {
      await start({}, { unreadTimeoutMs: 3_000 });
      const [client] = await open();
      client!.pause();
      for (let i = 0; i < 20; i += 1) client!.request(DOCUMENT);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      client!.resume();
      await until('all of them', () => client!.responses.length === 20);
      client!.request('GET /v1/health');
      expect((await client!.response(21)).body).toBe('OK');
    });
  });
});
