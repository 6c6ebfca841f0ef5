import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../../test/support/garbage';
import { outboundHttp } from '../../test/support/outbound';
import { until } from '../../test/support/private-servers';
import { RawServer } from '../../test/support/raw-server';
import type { OutboundHttp } from './outbound-http';

const MEBIBYTE = 1 << 20;
const CONNECTIONS = 64;

describe('An aborted call', () => {
  let http: OutboundHttp;
  let server: RawServer;

  beforeEach(async () => {
    http = outboundHttp({ allow: '127.0.0.1' });
    server = await RawServer.start(() => undefined);
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    await server.close();
  });

  const post = (body: Buffer, signal?: AbortSignal): Promise<unknown> =>
    http
      .post({
        url: server.url,
        purpose: 'rpc',
        body,
        timeoutMs: 30_000,
        maxBytes: 100,
        onTooLarge: 'fail',
        ...(signal && { signal }),
      })
      .catch((error: unknown) => error);

  it('closes its connection', async () => {
    const controller = new AbortController();
    const call = post(Buffer.from('x'), controller.signal);
    await until('the request', () => server.requests.length === 1);
    controller.abort();
    expect(await call).toMatchObject({ failure: 'aborted' });
    await until('the end of the connection', () => server.open === 0);
  });

  it('does not keep its body while it waits for a connection', async () => {
    for (let i = 0; i < CONNECTIONS; i += 1) void post(Buffer.from('x'));
    await until('all connections', () => server.requests.length === CONNECTIONS);
    const used = (): number => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = used();
    for (let i = 0; i < 64; i += 1) {
      const controller = new AbortController();
      const call = post(Buffer.alloc(MEBIBYTE), controller.signal);
      controller.abort();
      expect(await call).toMatchObject({ failure: 'aborted' });
    }
    expect(server.requests).toHaveLength(CONNECTIONS);
    // V8 frees buffers in a thread of its own, which may be late. The calls would keep their bodies for 30 s.
    const end = performance.now() + 10_000;
    while (used() - before >= 8 * MEBIBYTE && performance.now() < end) await sleep(50);
    expect(used() - before).toBeLessThan(8 * MEBIBYTE);
  });
});
