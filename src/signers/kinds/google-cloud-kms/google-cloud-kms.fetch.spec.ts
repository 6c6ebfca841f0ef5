import { outboundHttp } from '../../../../test/support/outbound';
import { rawResponse, RawServer } from '../../../../test/support/raw-server';
import { googleFetch } from './google-cloud-kms.fetch';

describe('googleFetch', () => {
  const http = outboundHttp();
  const allowing = outboundHttp({ allow: 'key-service:127.0.0.1' });
  let server: RawServer;

  beforeAll(async () => {
    server = await RawServer.start((socket, request) => {
      if (request.startsWith('GET /empty')) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      else socket.write(rawResponse('{"a":1}', '200 OK', 'X-One: 1\r\nContent-Type: application/json\r\n'));
    });
  });

  beforeEach(() => {
    server.requests.length = 0;
  });

  afterAll(async () => {
    await http.onApplicationShutdown();
    await allowing.onApplicationShutdown();
    await server.close();
  });

  it('may call internal addresses with the credentials of the environment', async () => {
    const response = await googleFetch(http, true)(`${server.url}/token`);
    expect([response.status, await response.json()]).toEqual([200, { a: 1 }]);
    expect(response.headers.get('x-one')).toBe('1');
  });

  it('refuses internal addresses if the signer has its own credentials', async () => {
    await expect(googleFetch(http, false)(`${server.url}/token`)).rejects.toThrow(
      'leads to an address that is not allowed',
    );
    expect(server.requests).toEqual([]);
  });

  it('sends no token to internal addresses, even with the credentials of the environment', async () => {
    const exchange = { method: 'POST', body: 'subject_token=secret' };
    await expect(googleFetch(http, true)(`${server.url}/token`, exchange)).rejects.toThrow(
      'leads to an address that is not allowed',
    );
    expect(server.requests).toEqual([]);
  });

  it.each<[string, RequestInit['body']]>([
    ['text', 'a=b&c=d'],
    ['bytes', Buffer.from('a=b&c=d')],
    ['a form', new URLSearchParams({ a: 'b', c: 'd' })],
  ])('sends %s', async (_what, body) => {
    await googleFetch(allowing, false)(server.url, { method: 'POST', body: body ?? null });
    expect(server.requests[0]?.split('\r\n\r\n')[1]).toBe('a=b&c=d');
  });

  it('accepts a response without a body', async () => {
    const response = await googleFetch(http, true)(`${server.url}/empty`);
    expect([response.status, await response.text()]).toEqual([204, '']);
  });
});
