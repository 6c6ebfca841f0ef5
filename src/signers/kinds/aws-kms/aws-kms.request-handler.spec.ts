import { outboundHttp } from '../../../../test/support/outbound';
import { rawResponse, RawServer } from '../../../../test/support/raw-server';
import { AwsRequestHandler } from './aws-kms.request-handler';

describe('AwsRequestHandler', () => {
  const http = outboundHttp({ allow: 'key-service:127.0.0.1' });
  const handler = new AwsRequestHandler(http);
  let server: RawServer;

  beforeAll(async () => {
    server = await RawServer.start((socket) =>
      socket.write(rawResponse('{}', '200 OK', 'X-Two: a\r\nX-Two: b\r\n')),
    );
  });

  beforeEach(() => {
    server.requests.length = 0;
  });

  afterAll(async () => {
    await http.onApplicationShutdown();
    await server.close();
  });

  const request = (changes: object) => ({
    method: 'GET',
    protocol: 'http:',
    hostname: '127.0.0.1',
    port: server.port,
    path: '/a',
    headers: {},
    ...changes,
  });

  it.each<[Record<string, string | string[] | null>, string]>([
    [{}, '/a'],
    [{ role_name: 'a b', id: '1' }, '/a?role_name=a%20b&id=1'],
    [{ a: ['1', '2'], b: null, c: '' }, '/a?a=1&a=2&b&c='],
    [{ "!'()*": '~-_.&=' }, '/a?%21%27%28%29%2A=~-_.%26%3D'],
  ])('sends the query %j', async (query, target) => {
    await handler.handle(request({ query }));
    expect(server.requests[0]?.split('\r\n')[0]).toBe(`GET ${target} HTTP/1.1`);
  });

  it('returns status code, headers and body', async () => {
    const { response } = await handler.handle(request({ method: 'POST', body: '{}' }));
    expect(response).toMatchObject({ statusCode: 200, headers: { 'x-two': 'a, b' } });
    expect(Buffer.from(response.body).toString()).toBe('{}');
  });

  it('aborts the request when the SDK aborts', async () => {
    const abort = new AbortController();
    abort.abort();
    await expect(handler.handle(request({}), { abortSignal: abort.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(server.requests).toEqual([]);
  });
});
