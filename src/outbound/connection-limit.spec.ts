import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { outboundHttp } from '../../test/support/outbound';
import { until } from '../../test/support/private-servers';
import { rawResponse, type RawResponse, RawServer } from '../../test/support/raw-server';
import type { Lookup } from './lookup';
import type { OutboundHttp } from './outbound-http';

const CONNECTIONS = 64;
const NAME = 'node.test';
/** Nothing listens at the server's port of this address. */
const CLOSED = '127.0.0.9';
/** The time in which connections beyond the limit would have been opened. */
const SETTLE_MS = 100;

describe('The limit on connections to an origin', () => {
  let http: OutboundHttp;
  let server: RawServer;
  /** Aborts all calls of a test that are still in progress. */
  let end: AbortController;

  afterEach(async () => {
    end.abort();
    await http.onApplicationShutdown();
    await server.close();
  });

  async function start(lookup: Lookup, response: RawResponse = () => undefined): Promise<void> {
    end = new AbortController();
    setMaxListeners(0, end.signal);
    server = await RawServer.start(response);
    http = outboundHttp({ allow: '127.0.0.0/8', lookup });
  }

  /** Returns the error of a call, or the status of its response. */
  const call = ({ name = NAME, scheme = 'http', body = '{}', signal = end.signal } = {}): Promise<unknown> =>
    http
      .post({
        url: `${scheme}://${name}:${server.port}`,
        purpose: 'rpc',
        body,
        timeoutMs: 60_000,
        maxBytes: 100,
        onTooLarge: 'fail',
        signal,
      })
      .then(
        ({ status }) => status,
        (error: unknown) => error,
      );

  /** Starts calls whose attempts to connect hang: the server never responds to the TLS handshake. */
  const hang = (count: number, signal?: AbortSignal): void => {
    for (let i = 0; i < count; i += 1) void call({ scheme: 'https', ...(signal && { signal }) });
  };

  async function expectFull(): Promise<void> {
    await until('all connections', () => server.open >= CONNECTIONS);
    await sleep(SETTLE_MS);
    expect(server.open).toBe(CONNECTIONS);
  }

  it('includes attempts to connect, even while other attempts fail', async () => {
    let isClosed = false;
    await start(() => Promise.resolve([isClosed ? CLOSED : '127.0.0.1']));
    for (const count of [30, 30, 60]) {
      isClosed = true;
      expect(await call({ scheme: 'https' })).toMatchObject({ failure: 'connection' });
      isClosed = false;
      hang(count);
      await until('the attempts', () => server.open >= Math.min(count, CONNECTIONS));
    }
    await expectFull();
  });

  it('includes the attempt for a waiting call that follows a failed one', async () => {
    await start(() => Promise.resolve(['127.0.0.1']));
    const first = new AbortController();
    setMaxListeners(0, first.signal);
    hang(20, first.signal);
    hang(CONNECTIONS - 20);
    hang(20);
    await expectFull();
    first.abort();
    await until('the end of the first attempts', () => server.sockets.length >= CONNECTIONS + 20);
    hang(20);
    await expectFull();
  });

  it('lets waiting calls go on in order as attempts to connect fail', async () => {
    const failing: (() => void)[] = [];
    await start(
      () =>
        failing.length === CONNECTIONS
          ? Promise.resolve(['127.0.0.1'])
          : new Promise((_resolve, reject) =>
              failing.push(() => {
                reject(new Error('no address'));
              }),
            ),
      (socket) => socket.write(rawResponse('ok')),
    );
    const lost = Array.from({ length: CONNECTIONS }, () => call());
    const waiting = Array.from({ length: 10 }, (_, i) => call({ body: `call ${i}` }));
    await until('all lookups', () => failing.length === CONNECTIONS);
    failing[0]?.();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200));
    expect(server.requests.map((request) => request.slice(request.indexOf('call ')))).toEqual(
      waiting.map((_, i) => `call ${i}`),
    );
    // One connection was enough for all of them.
    expect(server.sockets).toHaveLength(1);
    for (const fail of failing) fail();
    for (const error of await Promise.all(lost)) expect(error).toMatchObject({ failure: 'dns' });
  });

  it.each<[string, RawResponse, object]>([
    ['a response', (socket) => socket.write(rawResponse('ok')), {}],
    ['a closed connection', (socket) => socket.destroy(), { failure: 'connection' }],
    [
      'a response that is too large',
      (socket) => socket.write(rawResponse('x'.repeat(101))),
      { failure: 'too_large' },
    ],
    [
      'a response that is cut off',
      (socket) => socket.end(rawResponse('ok').slice(0, -1)),
      { failure: 'cut_off' },
    ],
  ])('lets a waiting call go on after %s', async (_name, respond, expected) => {
    const held: (() => void)[] = [];
    await start(
      () => Promise.resolve(['127.0.0.1']),
      (socket, request, number) => {
        if (request.includes('waiting')) socket.write(rawResponse('ok'));
        else
          held.push(() => {
            respond(socket, request, number);
          });
      },
    );
    const calls = Array.from({ length: CONNECTIONS }, () => call());
    const waiting = call({ body: 'waiting' });
    await until('all requests', () => held.length === CONNECTIONS);
    await sleep(SETTLE_MS);
    expect(server.requests).toHaveLength(CONNECTIONS);
    held[0]?.();
    expect(await waiting).toBe(200);
    const ended = await Promise.race(calls);
    if ('failure' in expected) expect(ended).toMatchObject(expected);
    else expect(ended).toBe(200);
  });

  it('forgets a waiting call that is aborted', async () => {
    await start(() => Promise.resolve(['127.0.0.1']));
    const first = new AbortController();
    hang(1, first.signal);
    hang(CONNECTIONS - 1);
    const aborted = new AbortController();
    setMaxListeners(0, aborted.signal);
    const waiting = Array.from({ length: 100 }, () => call({ scheme: 'https', signal: aborted.signal }));
    aborted.abort();
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ failure: 'aborted' });
    hang(1);
    first.abort();
    await until('the last call', () => server.sockets.length > CONNECTIONS);
    await sleep(SETTLE_MS);
    expect(server.sockets).toHaveLength(CONNECTIONS + 1);
  });

  it('leaves nothing behind of origins that are no longer called', async () => {
    await start(
      (name) =>
        name.startsWith('lost')
          ? Promise.reject(new Error('no address'))
          : Promise.resolve([name.startsWith('closed') ? CLOSED : '127.0.0.1']),
      (socket, request) => {
        if (request.includes('ok')) socket.end(rawResponse('ok', '200 OK', 'Connection: close\r\n'));
        else if (request.includes('cut')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n');
      },
    );
    const origins = (): number =>
      [...(Reflect.get(http, 'agents') as Map<string, { kept: object; fresh: object }>).values()]
        .flatMap(({ kept, fresh }) => [kept, fresh])
        .reduce((total, agent) => total + (Reflect.get(agent, 'pools') as Map<string, unknown>).size, 0);
    const ended: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i += 1) {
      for (const kind of ['ok', 'cut', 'closed', 'lost'])
        ended.push(call({ name: `${kind}${i}.test`, body: kind }));
      ended.push(call({ name: `early${i}.test`, signal: AbortSignal.abort() }));
    }
    await Promise.all(ended);
    const hanging = Array.from({ length: CONNECTIONS + 20 }, () => call({ scheme: 'https' }));
    const silent = Array.from({ length: 20 }, (_, i) => call({ name: `silent${i}.test` }));
    await until('all connections', () => server.open === CONNECTIONS + silent.length);
    expect(origins()).toBeGreaterThan(0);
    end.abort();
    await Promise.all([...hanging, ...silent]);
    await until('no origins', () => origins() === 0);
  });
});
