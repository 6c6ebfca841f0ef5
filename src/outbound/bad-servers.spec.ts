import { getEventListeners, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { outboundHttp } from '../../test/support/outbound';
import { rawResponse, type RawResponse, RawServer } from '../../test/support/raw-server';
import type { OutboundHttp } from './outbound-http';
import type { OutboundRequest } from './outbound-message';

const MEGABYTE = Buffer.alloc(1 << 20, 'x');

/** Writes the piece at intervals for as long as the client reads. */
function drip(socket: Socket, piece: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs);
  socket.on('close', () => {
    clearInterval(timer);
  });
}

/** Writes 200 MB as fast as the client reads. */
function flood(socket: Socket): void {
  let left = 200;
  const pour = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(MEGABYTE)) return;
    }
  };
  socket.on('drain', pour);
  pour();
}

describe('OutboundHttp with bad servers', () => {
  let http: OutboundHttp;
  let server: RawServer | undefined;

  beforeEach(() => {
    server = undefined;
    http = outboundHttp({ allow: '127.0.0.1' });
  });

  afterEach(async () => {
    await http.onApplicationShutdown();
    await server?.close();
  });

  const post = (url: string, wanted: Partial<OutboundRequest> = {}) =>
    http.post({
      url,
      purpose: 'rpc',
      body: '{}',
      timeoutMs: 20_000,
      maxBytes: 1000,
      onTooLarge: 'fail',
      ...wanted,
    });

  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  async function serve(response: RawResponse): Promise<string> {
    server = await RawServer.start(response);
    return `${server.url}/v2/s3cret?key=s3cret`;
  }

  /** Waits until all connections that the service has abandoned are closed. */
  async function allClosed(): Promise<void> {
    const open = server?.sockets.filter((socket) => !socket.closed) ?? [];
    await Promise.all(open.map((socket) => new Promise((resolve) => socket.on('close', resolve))));
  }

  const HANGING: [string, RawResponse][] = [
    ['says nothing', () => undefined],
    [
      'drips its headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX: ');
        drip(socket, 'x', 20);
      },
    ],
    [
      'drips its body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n');
        drip(socket, 'x', 20);
      },
    ],
    [
      'drips chunks',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        drip(socket, '1\r\nx\r\n', 20);
      },
    ],
    ['stops in its body', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{')],
  ];

  it.each(HANGING)('times out when a server %s', async (_name, response) => {
    const url = await serve(response);
    await expect(post(url, { timeoutMs: 200 })).rejects.toMatchObject({
      failure: 'timeout',
      message: `127.0.0.1:${server!.port} did not respond within 200 ms`,
    });
    await allClosed();
  });

  const BROKEN: [string, RawResponse, string][] = [
    ['closes without a response', (socket) => socket.end(), 'connection'],
    ['resets without a response', (socket) => socket.resetAndDestroy(), 'connection'],
    [
      'sends interim responses forever',
      (socket) => {
        drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n', 20);
      },
      'cut_off',
    ],
    [
      'responds in 10 000 chunks of one byte',
      (socket) =>
        socket.write(
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(10_000)}0\r\n\r\n`,
        ),
      'too_large',
    ],
    ['closes in its status line', (socket) => socket.end('HTTP/1.1 20'), 'cut_off'],
    ['closes in its headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'), 'cut_off'],
    [
      'closes in its body',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
      'cut_off',
    ],
    [
      'closes between chunks',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'),
      'cut_off',
    ],
    [
      'resets in its body',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', () => socket.resetAndDestroy());
      },
      'cut_off',
    ],
    ['does not speak HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'cut_off'],
    [
      'has two lengths',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'),
      'cut_off',
    ],
    [
      'switches protocols',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'cut_off',
    ],
    [
      // The HTTP client expects it only after `Expect: 100-continue`, which the service does not send.
      'sends 100 Continue',
      (socket) => socket.write(`HTTP/1.1 100 Continue\r\n\r\n${rawResponse('hello')}`),
      'cut_off',
    ],
    [
      'has no end of headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        drip(socket, `X: ${'x'.repeat(8000)}\r\n`, 1);
      },
      'cut_off',
    ],
    [
      'sends 200 MB',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\n');
        flood(socket);
      },
      'too_large',
    ],
    [
      'sends 200 MB without a length',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
        flood(socket);
      },
      'too_large',
    ],
    ['sends one byte too many', (socket) => socket.write(rawResponse('x'.repeat(1001))), 'too_large'],
  ];

  it.each(BROKEN)('reports a server that %s', async (_name, response, failure) => {
    const url = await serve(response);
    const error = await post(url).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'OutboundError', failure });
    expect((error as Error).message).toMatch(new RegExp(`^127\\.0\\.0\\.1:${server!.port} `));
    expect(String((error as Error).stack)).not.toContain('s3cret');
    expect(server!.requests).toHaveLength(1);
    await allClosed();
    expect(server!.sockets[0]!.bytesWritten).toBeLessThan(100 * MEGABYTE.length);
  });

  it.each(['102 Processing', '103 Early Hints'])('skips an interim response (%s)', async (status) => {
    const url = await serve((socket) => socket.write(`HTTP/1.1 ${status}\r\n\r\n${rawResponse('hello')}`));
    const response = await post(url);
    expect([response.status, response.body.toString()]).toEqual([200, 'hello']);
  });

  it('reads only the beginning of a response if the caller truncates', async () => {
    const url = await serve((socket) => {
      socket.write('HTTP/1.1 500 No\r\nContent-Length: 209715200\r\n\r\n');
      flood(socket);
    });
    const response = await post(url, { onTooLarge: 'truncate', maxBytes: 4096 });
    expect(response).toMatchObject({ status: 500, truncated: true });
    expect(response.body).toEqual(Buffer.alloc(4096, 'x'));
    await allClosed();
  });

  it.each([
    ['a length', rawResponse('x'.repeat(6000), '429 No', 'Retry-After: 7\r\n')],
    [
      'chunks',
      `HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n1770\r\n${'x'.repeat(6000)}\r\n0\r\n\r\n`,
    ],
  ])('reads the beginning of a long error page, with %s', async (_what, page) => {
    const url = await serve((socket) => socket.write(page));
    const response = await post(url);
    expect([response.status, response.truncated]).toEqual([Number(page.slice(9, 12)), true]);
    expect(response.body).toEqual(Buffer.alloc(1000, 'x'));
    await allClosed();
  });

  it.each([
    [999, false],
    [1000, false],
    [1001, true],
  ])('truncates only beyond the limit (%i bytes)', async (length, truncated) => {
    const url = await serve((socket) => socket.write(rawResponse('x'.repeat(length))));
    const response = await post(url, { onTooLarge: 'truncate' });
    expect([response.body.length, response.truncated]).toEqual([Math.min(length, 1000), truncated]);
  });

  it('does not follow redirects', async () => {
    const url = await serve((socket) => {
      socket.write(rawResponse('', '307 Moved', 'Location: http://169.254.169.254/latest/meta-data\r\n'));
    });
    const response = await post(url);
    expect([response.status, response.headers.location]).toEqual([
      307,
      'http://169.254.169.254/latest/meta-data',
    ]);
    expect(server!.requests).toHaveLength(1);
  });

  it('does not decompress the body', async () => {
    const bomb = gzipSync(Buffer.alloc(500_000));
    const url = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    });
    expect((await post(url)).body).toEqual(bomb);
  });

  it('reports a closed port', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as { port: number };
    probe.close();
    await once(probe, 'close');
    const url = `http://127.0.0.1:${port}`;
    const failures = await Promise.all(
      Array.from({ length: 200 }, () => post(url).catch((error: unknown) => error)),
    );
    for (const failure of failures)
      expect(failure).toMatchObject({
        failure: 'connection',
        message: `127.0.0.1:${port} cannot be reached (ECONNREFUSED)`,
      });
  });

  it('reports a name that does not resolve', async () => {
    await expect(post('http://nowhere.invalid/s3cret')).rejects.toMatchObject({
      failure: 'dns',
      message: 'nowhere.invalid:80 cannot be resolved',
    });
  });

  it('applies the time-out to the name lookup', async () => {
    const slow = outboundHttp({ lookup: () => new Promise(() => undefined) });
    const request = { body: '', maxBytes: 1, onTooLarge: 'fail', timeoutMs: 100 } as const;
    await expect(slow.post({ url: 'https://slow.test', purpose: 'rpc', ...request })).rejects.toMatchObject({
      failure: 'timeout',
    });
    await slow.onApplicationShutdown();
  });

  it('applies the time-out to the TLS handshake', async () => {
    const port = new URL(await serve(() => undefined)).port;
    await expect(post(`https://127.0.0.1:${port}`, { timeoutMs: 200 })).rejects.toMatchObject({
      failure: 'timeout',
    });
    await allClosed();
  });

  it('reports a server that does not speak TLS', async () => {
    const plain = createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 No\r\n\r\n'),
    );
    plain.listen(0, '127.0.0.1');
    await once(plain, 'listening');
    const { port } = plain.address() as { port: number };
    await expect(post(`https://127.0.0.1:${port}`)).rejects.toMatchObject({ failure: 'tls' });
    plain.close();
  });

  it('rejects a call that its caller aborts, before or during the call', async () => {
    const early = AbortSignal.abort();
    const url = await serve(() => undefined);
    await expect(post(url, { signal: early })).rejects.toMatchObject({ failure: 'aborted' });
    expect(server!.sockets).toHaveLength(0);
    const later = new AbortController();
    const call = post(url, { signal: later.signal });
    setTimeout(() => {
      later.abort();
    }, 50);
    await expect(call).rejects.toMatchObject({ failure: 'aborted' });
    await allClosed();
  });

  it('leaves no timer or listener behind, however a call ends', async () => {
    const url = await serve((socket, _request, number) => {
      if (number % 2 === 1) socket.write(rawResponse('x'.repeat(number)));
      else socket.destroy();
    });
    const { signal } = new AbortController();
    const before = timers();
    for (let i = 0; i < 50; i += 1) {
      const wanted = { timeoutMs: 600_000, maxBytes: i % 3, signal };
      await post(i % 5 === 0 ? 'http://10.0.0.1' : url, wanted).catch(() => undefined);
    }
    // The HTTP client and Jest have a few timers of their own.
    expect(timers()).toBeLessThan(before + 10);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects calls when the service stops', async () => {
    const url = await serve(() => undefined);
    const call = expect(post(url)).rejects.toMatchObject({ failure: 'aborted' });
    await http.onApplicationShutdown();
    await call;
    for (const purpose of ['rpc', 'webhook'] as const)
      await expect(post(url, { purpose })).rejects.toMatchObject({ failure: 'aborted' });
  });

  it('opens at most 64 connections to a server, and none for calls that timed out in the queue', async () => {
    const url = await serve(() => undefined);
    const calls = Array.from({ length: 200 }, (_, i) =>
      post(url, { timeoutMs: i < 64 ? 1000 : 100 }).catch((error: unknown) => error),
    );
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ failure: 'timeout' });
    await allClosed();
    expect([server!.sockets.length, server!.requests.length]).toEqual([64, 64]);
  });
});
