import type { Dispatcher } from 'undici';
import { collectGarbage } from '../../test/support/garbage';
import { outboundHttp } from '../../test/support/outbound';
import { rawResponse, RawServer } from '../../test/support/raw-server';
import { ResponseBuffers } from './response-buffers';
import { OutboundExchange } from './outbound-exchange';
import type { OutboundHttp } from './outbound-http';

const MEBIBYTE = 1 << 20;

describe('the memory of responses', () => {
  it('is proportional to their size, however small the received pieces are', async () => {
    const used = () => {
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const exchange = new OutboundExchange(
      { purpose: 'rpc', secure: false, hostname: 'node.test', port: 80 },
      new AbortController().signal,
      { maxBytes: 16 * MEBIBYTE, onTooLarge: 'fail' },
      new ResponseBuffers(),
    );
    const controller = {} as Dispatcher.DispatchController;
    exchange.onResponseStart(controller, 200, {});
    const before = used();
    for (let slab = 0; slab < 16; slab += 1) {
      const read = Buffer.alloc(65_536, 'x');
      for (let i = 0; i < read.length; i += 256)
        exchange.onResponseData(controller, read.subarray(i, i + 256));
    }
    expect(used() - before).toBeLessThan(20 * MEBIBYTE);
    exchange.onResponseEnd();
    expect((await exchange.response).body.equals(Buffer.alloc(MEBIBYTE, 'x'))).toBe(true);
  });

  describe('across all calls', () => {
    let http: OutboundHttp;
    let server: RawServer;
    let finish: (() => void)[];

    beforeEach(async () => {
      finish = [];
      http = outboundHttp({ allow: '127.0.0.1' });
      server = await RawServer.start((socket, request) => {
        if (request.startsWith('POST /small')) {
          socket.write(rawResponse('x'.repeat(65_536)));
          return;
        }
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${12 * MEBIBYTE}\r\n\r\n`);
        socket.write(Buffer.alloc(11 * MEBIBYTE, 'x'));
        finish.push(() => socket.write(Buffer.alloc(MEBIBYTE, 'x')));
      });
    });

    afterEach(async () => {
      await http.onApplicationShutdown();
      await server.close();
    });

    const post = (path: string, to = server, maxBytes = 12 * MEBIBYTE) =>
      http.post({
        url: to.url + path,
        purpose: 'rpc',
        body: '',
        timeoutMs: 20_000,
        maxBytes,
        onTooLarge: 'fail',
      });

    it('is bounded per server and in total: further large responses fail at once, small ones do not', async () => {
      const other = await RawServer.start((socket) => socket.write(rawResponse('y'.repeat(3.5 * MEBIBYTE))));
      const failures: unknown[] = [];
      let enoughFailed!: () => void;
      const nineFailed = new Promise<void>((resolve) => (enoughFailed = resolve));
      const calls = Array.from({ length: 10 }, () =>
        post('/large').then(
          ({ body }) => body.length,
          (error: unknown) => {
            if (failures.push(error) === 9) enoughFailed();
            return 0;
          },
        ),
      );
      await nineFailed;
      for (const error of failures)
        expect(error).toMatchObject({
          failure: 'overloaded',
          message: `127.0.0.1:${server.port} responded with more than there is memory for at the moment`,
        });
      expect((await post('/small')).body).toHaveLength(65_536);
      expect((await post('/', other)).body).toHaveLength(3.5 * MEBIBYTE);
      for (const end of finish) end();
      expect((await Promise.all(calls)).filter((length) => length === 12 * MEBIBYTE)).toHaveLength(1);
      finish.length = 0;
      const later = post('/large');
      while (finish.length < 1) await new Promise(setImmediate);
      for (const end of finish) end();
      expect((await later).body).toHaveLength(12 * MEBIBYTE);
      await other.close();
    });

    it('of forwarded responses is separate from that of responses to own calls', async () => {
      const body = 'y'.repeat(12 * MEBIBYTE);
      const large = await RawServer.start((socket) => socket.write(rawResponse(body)));
      const request = { url: large.url, purpose: 'rpc' as const, body: '', timeoutMs: 20_000 };
      const retained = (isForwarded: boolean) =>
        http.postThen(
          { ...request, isForwarded, maxBytes: 12 * MEBIBYTE, onTooLarge: 'fail' },
          ({ retain }) => retain(),
        );
      const ofForwarded = await retained(true);
      await expect(retained(true)).rejects.toMatchObject({ failure: 'overloaded' });
      const ofOwn = await retained(false);
      await expect(retained(false)).rejects.toMatchObject({ failure: 'overloaded' });
      ofForwarded.release();
      (await retained(true)).release();
      ofOwn.release();
      await large.close();
    });

    it('of forwarded responses has 16 MiB in total', async () => {
      const other = await RawServer.start((socket) => socket.write(rawResponse('y'.repeat(5 * MEBIBYTE))));
      const forwarded = (url: string) =>
        http.postThen(
          {
            url,
            purpose: 'rpc',
            body: '',
            timeoutMs: 20_000,
            isForwarded: true,
            maxBytes: 12 * MEBIBYTE,
            onTooLarge: 'fail',
          },
          ({ retain }) => retain(),
        );
      const first = forwarded(`${server.url}/large`);
      while (finish.length < 1) await new Promise(setImmediate);
      finish[0]!();
      const large = await first;
      await expect(forwarded(other.url)).rejects.toMatchObject({ failure: 'overloaded' });
      large.release();
      (await forwarded(other.url)).release();
      await other.close();
    });

    it('is counted until the caller has read the response', async () => {
      let finishReading!: () => void;
      const untilRead = new Promise<void>((resolve) => (finishReading = resolve));
      let beginReading!: () => void;
      const reading = new Promise<void>((resolve) => (beginReading = resolve));
      const request = {
        purpose: 'rpc' as const,
        body: '',
        timeoutMs: 20_000,
        maxBytes: 12 * MEBIBYTE,
        onTooLarge: 'fail' as const,
      };
      const first = http.postThen({ ...request, url: `${server.url}/large` }, () => {
        beginReading();
        return untilRead;
      });
      while (finish.length < 1) await new Promise(setImmediate);
      finish[0]!();
      await reading;
      await expect(post('/large')).rejects.toMatchObject({ failure: 'overloaded' });
      finishReading();
      await first;
      const again = post('/large');
      while (finish.length < 3) await new Promise(setImmediate);
      finish[2]!();
      expect((await again).body).toHaveLength(12 * MEBIBYTE);
    });
  });
});
