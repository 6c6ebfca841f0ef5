import { setTimeout } from 'node:timers/promises';
import { rawResponse, RawServer } from '../../test/support/raw-server';
import { outboundHttp } from '../../test/support/outbound';
import type { OutboundHttp } from './outbound-http';
import type { OutboundRequest } from './outbound-message';

const requestTo = (url: string, wanted: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  purpose: 'rpc',
  body: '{}',
  timeoutMs: 5000,
  maxBytes: 1000,
  onTooLarge: 'fail',
  ...wanted,
});

/** A connection can only be reused one turn of the event loop after its response. */
const untilReusable = () => setTimeout(10);

describe('OutboundHttp', () => {
  let http: OutboundHttp;
  let server: RawServer;

  beforeEach(() => {
    http = outboundHttp({ allow: '127.0.0.0/8' });
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    await server.close();
  });

  it('posts and returns status, headers and body', async () => {
    server = await RawServer.start((socket) =>
      socket.write(rawResponse('hello', '201 Created', 'X-One: 1\r\n')),
    );
    const response = await http.post(
      requestTo(`${server.url.replace('//', '//us%40er:p%20w@')}/v2/key?a=b#c`, {
        headers: { 'x-two': '2' },
      }),
    );
    expect(response).toMatchObject({ status: 201, headers: { 'x-one': '1' }, truncated: false });
    expect(response.body.toString()).toBe('hello');
    const [request = ''] = server.requests;
    expect(request.split('\r\n')[0]).toBe('POST /v2/key?a=b HTTP/1.1');
    expect(request).toContain(`authorization: Basic ${Buffer.from('us@er:p w').toString('base64')}\r\n`);
    expect(request).toContain('accept-encoding: identity\r\n');
    expect(request).toContain('x-two: 2\r\n');
    expect(request).toContain(`host: 127.0.0.1:${server.port}\r\n`);
  });

  it('tells the lookup what the call is for, and whether a client has chosen the URL', async () => {
    server = await RawServer.start((socket) => socket.write(rawResponse('hello')));
    const looked: unknown[] = [];
    http = outboundHttp({
      allow: 'node.test',
      lookup: (name, { purpose, isCustom = false }) => {
        looked.push([name, purpose, isCustom]);
        return Promise.resolve(['127.0.0.1']);
      },
    });
    const url = `http://node.test:${server.port}`;
    await http.post(requestTo(url, { purpose: 'webhook' }));
    await http.post(requestTo(url, { isCustom: true }));
    expect(looked).toEqual([
      ['node.test', 'webhook', false],
      ['node.test', 'rpc', true],
    ]);
  });

  it('reuses connections', async () => {
    server = await RawServer.start((socket) => socket.write(rawResponse('hello')));
    for (let i = 0; i < 200; i += 1) await http.post(requestTo(server.url));
    expect(server.requests).toHaveLength(200);
    // A connection is busy for one turn of the event loop after its response, so calls alternate between two.
    expect(server.sockets.length).toBeLessThanOrEqual(2);
  });

  it('repeats a request once if the server had closed the connection', async () => {
    server = await RawServer.start((socket, _request, number) => {
      if (number === 1) socket.write(rawResponse('hello'));
      else socket.destroy();
    });
    await http.post(requestTo(server.url));
    await untilReusable();
    const response = await http.post(requestTo(server.url));
    expect(response.body.toString()).toBe('hello');
    expect(server.requests).toHaveLength(3);
    expect(server.sockets).toHaveLength(2);
  });
});
