import type { Request } from 'express';
import { AddressAllowance } from '../../src/rate-limits/address-allowance';
import { RateLimitStorage } from '../../src/rate-limits/rate-limit-storage';
import type { TokenBucketStorage } from '../../src/rate-limits/token-bucket.storage';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { send } from '../support/http';
import { apiKey } from '../support/keys';
import { RawClient } from '../support/raw-client';

const KEY = apiKey('access');
const PROTECTED: [string, string][] = [
  ['GET', '/api/v1/relayers'],
  ['PATCH', '/api/v1/relayers/cow'],
  ['POST', '/api/v1/relayers/cow/sign-typed-data'],
  ['GET', '/api/v1/notifications'],
  ['POST', '/api/v1/notifications'],
  ['PATCH', '/api/v1/notifications/hook'],
  ['POST', '/api/v1/signers'],
  ['GET', '/api/v1/signers/cow'],
  ['DELETE', '/api/v1/relayers/cow'],
];
const UNAUTHORIZED = {
  success: false,
  data: null,
  error:
    'valid credentials are required: one Authorization header of the form "Bearer <API key>", or a signature',
  message: 'Unauthorized',
};

describeService('Authentication', { settings: { API_KEY: KEY }, onlySqlite: true }, ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow' });
  });

  it.each(PROTECTED)(
    '%s %s refuses a request without a token before it reads the body',
    async (method, path) => {
      const response = await service.call({
        method,
        path,
        headers: { authorization: undefined },
        body: '{broken',
      });
      expect(response.status).toBe(401);
      expect(response.body).toEqual(UNAUTHORIZED);
      expect(response.headers['www-authenticate']).toBe('Bearer');
    },
  );

  it.each([
    ['another token', 'Bearer x-0123456789-0123456789-0123456789'],
    ['the beginning of the key', `Bearer ${KEY.slice(0, -1)}`],
    ['more than the key', `Bearer ${KEY}x`],
    ['another case', `Bearer ${KEY.toUpperCase()}`],
    ['no scheme', KEY],
    ['another scheme', `Basic ${KEY}`],
    ['no token', 'Bearer'],
    ['an empty token', 'Bearer '],
    ['two tokens', `Bearer ${KEY} ${KEY}`],
    ['a list', `Bearer ${KEY}, Bearer ${KEY}`],
    ['nothing', ''],
  ])('refuses %s', async (_what, authorization) => {
    const response = await service.get('/api/v1/relayers', { authorization });
    expect(response.status).toBe(401);
    expect(response.body).toEqual(UNAUTHORIZED);
  });

  it('refuses two Authorization headers, even if both are valid', async () => {
    const authorization = [`Bearer ${KEY}`, `Bearer ${KEY}`] as unknown as string;
    expect((await send(service.url, { path: '/api/v1/relayers', headers: { authorization } })).status).toBe(
      401,
    );
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme %s', async (scheme) => {
    expect((await service.get('/api/v1/relayers', { authorization: `${scheme} ${KEY}` })).status).toBe(200);
  });

  it.each([
    '/v1/health',
    '/v1/ready',
    '/api/v1/health',
    '/api/v1/ready',
    '/metrics',
    '/api-docs/openapi.json',
  ])('%s needs no token', async (path) => {
    expect((await service.get(path, { authorization: undefined })).status).toBe(200);
  });

  it.each(['/api/v1/healthXYZ', '/api/v1/health/x', '/api/v1/readyness'])(
    'returns 404 for %s, which is not a public route',
    async (path) => {
      expect((await service.get(path, { authorization: undefined })).status).toBe(404);
    },
  );
});

describeService(
  'Rate limiting',
  {
    settings: {
      API_KEY: KEY,
      RATE_LIMIT_REQUESTS_PER_SECOND: '1',
      RATE_LIMIT_BURST_SIZE: '5',
      TRUST_PROXY: '1',
    },
    startFor: 'test',
    onlySqlite: true,
  },
  ({ service }) => {
    /** The clock of the limits, so that allowances do not refill while a slow machine sends requests. */
    let now: number;

    beforeEach(async () => {
      now = 0;
      const ofPages: unknown = Reflect.get(service.app.get(AddressAllowance), 'local');
      for (const storage of [service.app.get(RateLimitStorage), ofPages as TokenBucketStorage])
        Reflect.set(storage, 'now', () => now);
      await addRelayer(service, { id: 'cow' });
    });

    const statuses = async (
      count: number,
      path: string,
      headers: Record<string, string | undefined> = {},
    ) => {
      const seen: number[] = [];
      for (let i = 0; i < count; i += 1) seen.push((await service.get(path, headers)).status);
      return seen;
    };

    it('shares one allowance of a token across all relayer and signing routes', async () => {
      expect(await statuses(4, '/api/v1/relayers')).toEqual([200, 200, 200, 200]);
      const hashes = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'ab'.repeat(32) };
      expect((await service.post('/api/v1/relayers/cow/sign-typed-data', hashes)).status).toBe(200);
      const response = await service.patch('/api/v1/relayers/cow', { paused: true });
      expect(response.status).toBe(429);
      expect(response.body).toEqual({
        success: false,
        data: null,
        error: 'the rate limit is used up; see Retry-After',
        message: 'Too Many Requests',
      });
      expect(Number(response.headers['retry-after'])).toBe(1);
    });

    it('counts each item of a transaction batch, even if the batch is refused', async () => {
      const batchOf = (count: number) =>
        service.post('/api/v1/relayers/cow/transactions/batch', { transactions: Array(count).fill({}) });
      expect((await batchOf(3)).status).not.toBe(429);
      const refused = await batchOf(3);
      expect([refused.status, refused.body.message]).toEqual([429, 'Too Many Requests']);
      now += 5100;
      expect((await batchOf(6)).status).not.toBe(429);
      expect(await statuses(1, '/api/v1/relayers')).toEqual([429]);
    });

    it('refills an allowance over time', async () => {
      expect(await statuses(6, '/api/v1/relayers')).toEqual([200, 200, 200, 200, 200, 429]);
      now += 1100;
      expect(await statuses(1, '/api/v1/relayers')).toEqual([200]);
    });

    it('shares a separate allowance of a token across all other routes', async () => {
      expect(await statuses(2, '/api/v1/notifications')).toEqual([200, 200]);
      expect(await statuses(2, '/api/v1/signers')).toEqual([200, 200]);
      expect(await statuses(2, '/api/v1/networks')).toEqual([200, 429]);
      expect(await statuses(1, '/api/v1/notifications')).toEqual([429]);
      expect(await statuses(5, '/api/v1/relayers')).toEqual([200, 200, 200, 200, 200]);
    });

    it('never limits probes, and allows frequent scrapes', async () => {
      expect(new Set(await statuses(12, '/v1/health', { authorization: undefined }))).toEqual(new Set([200]));
      expect(new Set(await statuses(12, '/v1/ready', { authorization: undefined }))).toEqual(new Set([200]));
      expect(new Set(await statuses(12, '/metrics', { authorization: undefined }))).toEqual(new Set([200]));
    });

    it('limits failed authentication per client address across all routes, whatever the header', async () => {
      const seen: number[] = [];
      for (const [i, [method, path]] of [...PROTECTED, ...PROTECTED].slice(0, 12).entries()) {
        const headers = { authorization: `Bearer guess-${i}-0123456789-0123456789-012345` };
        seen.push(
          (await service.call({ method, path, headers, ...(method !== 'GET' && { body: {} }) })).status,
        );
      }
      expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
      expect((await service.get('/api/v1/relayers')).status).toBe(200);
    });

    /** Uses up the allowance of an address for routes that need no token. */
    const useUp = async (ip: string): Promise<void> => {
      const allowance = service.app.get(AddressAllowance);
      const charge = (): Promise<boolean> =>
        allowance.chargePublic({ ip } as Request).then(
          () => true,
          () => false,
        );
      while (await charge()) continue;
    };

    it.each(['/metrics', '/metrics/relayers', '/debug/metrics/scrape', '/api-docs/openapi.json'])(
      'limits %s per client address, independently of the API',
      async (path) => {
        const from = (address: string) => ({ authorization: undefined, 'x-forwarded-for': address });
        expect((await service.get(path, from('192.0.2.1'))).status).toBe(200);
        await useUp('192.0.2.1');
        const { status, body, headers } = await service.get(path, from('192.0.2.1'));
        expect(status).toBe(429);
        expect(body).toMatchObject({ success: false, message: 'Too Many Requests' });
        expect(headers['retry-after']).toBe('1');
        expect((await service.get(path, from('192.0.2.2'))).status).toBe(200);
        expect(await statuses(1, '/api/v1/relayers', from('192.0.2.1'))).toEqual([401]);
        expect(await statuses(1, '/v1/health', from('192.0.2.1'))).toEqual([200]);
      },
    );

    it('limits IPv6 addresses by their first 64 bits', async () => {
      const from = (address: string) => ({ authorization: undefined, 'x-forwarded-for': address });
      const seen: number[] = [];
      for (let i = 0; i < 6; i += 1)
        seen.push(...(await statuses(1, '/api/v1/relayers', from(`2001:db8:1:2:${i}::${i}`))));
      expect(seen).toEqual([401, 401, 401, 401, 401, 429]);
      expect(await statuses(1, '/api/v1/relayers', from('2001:db8:1:3::1'))).toEqual([401]);
      expect(await statuses(1, '/api/v1/relayers', from('::ffff:192.0.2.7'))).toEqual([401]);
      expect(await statuses(5, '/api/v1/relayers', from('192.0.2.7'))).toEqual([401, 401, 401, 401, 429]);
    });

    it('counts requests that declare too long a body as failed authentication', async () => {
      const seen: number[] = [];
      for (let i = 0; i < 6; i += 1) {
        const client = await RawClient.open(service.url);
        client.request('POST /api/v1/no/such/route', { 'Content-Length': '1048577' });
        seen.push((await client.response()).status);
        client.destroy();
      }
      expect(seen).toEqual([401, 401, 401, 401, 401, 429]);
    });

    it('sends Strict-Transport-Security if the trusted proxy reports HTTPS', async () => {
      const through = async (protocol: string) =>
        (await service.get('/v1/health', { 'x-forwarded-proto': protocol })).headers[
          'strict-transport-security'
        ];
      expect([await through('https'), await through('http')]).toEqual(['max-age=31536000', undefined]);
    });

    it('distinguishes client addresses as the trusted proxy reports them', async () => {
      const from = (address: string) => ({ authorization: undefined, 'x-forwarded-for': address });
      expect(await statuses(6, '/api/v1/relayers', from('192.0.2.1'))).toEqual([
        401, 401, 401, 401, 401, 429,
      ]);
      expect(await statuses(1, '/api/v1/relayers', from('192.0.2.2'))).toEqual([401]);
      expect(await statuses(1, '/api/v1/relayers', from('203.0.113.9, 192.0.2.1'))).toEqual([429]);
    });

    it('ignores the port that the trusted proxy reports with an address', async () => {
      const from = (address: string) => ({ authorization: undefined, 'x-forwarded-for': address });
      const seen: number[] = [];
      for (let port = 50_001; port <= 50_006; port += 1)
        seen.push(...(await statuses(1, '/api/v1/relayers', from(`192.0.2.1:${port}`))));
      expect(seen).toEqual([401, 401, 401, 401, 401, 429]);
      expect(await statuses(1, '/api/v1/relayers', from('192.0.2.1'))).toEqual([429]);
      expect(await statuses(1, '/api/v1/relayers', from('[2001:db8::1]:50001'))).toEqual([401]);
    });
  },
);
