import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Sharer } from '../client-shares';
import { connectionOf } from './connection';
import { Connections, trackRequest } from './connections';

class FakeSocket extends EventEmitter {
  destroyed = false;
  writableLength = 0;
  bytesWritten = 0;

  private ended = false;

  constructor(readonly remoteAddress: string | undefined) {
    super();
  }

  get writable(): boolean {
    return !this.destroyed && !this.ended;
  }

  get writableEnded(): boolean {
    return this.ended;
  }

  end(): void {
    this.ended = true;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

describe('Connections', () => {
  let server: EventEmitter;
  let connections: Connections;
  let reasons: string[];

  const watch = (maxConnections: number, maxConnectionsPerAddress: number): void => {
    server = new EventEmitter();
    reasons = [];
    connections = new Connections(
      { maxConnections, maxConnectionsPerAddress, unreadTimeoutMs: 20_000 },
      (address) => address === '10.0.0.1',
      (reason) => reasons.push(reason),
    );
    connections.watch(server as Server);
  };

  afterEach(() => {
    server.emit('close');
    jest.useRealTimers();
  });

  const open = (...addresses: (string | undefined)[]): FakeSocket[] =>
    addresses.map((address) => {
      const socket = new FakeSocket(address);
      server.emit('connection', socket);
      return socket;
    });

  const connection = (socket: FakeSocket) => connectionOf(socket as unknown as Socket)!;

  /** Authenticates the client of the last request on a connection. */
  const trust = (socket: FakeSocket, sharer?: Sharer): void => {
    const known = connection(socket);
    known.trust(known.lastExchange?.request ?? ({ socket } as unknown as IncomingMessage), sharer);
  };

  const begin = (socket: FakeSocket): EventEmitter => {
    const response = new EventEmitter();
    trackRequest(
      { socket } as unknown as IncomingMessage,
      response as unknown as ServerResponse,
      () => undefined,
    );
    return response;
  };

  const alive = (sockets: FakeSocket[]): number => sockets.filter(({ destroyed }) => !destroyed).length;

  it('counts IPv6 addresses by their first 64 bits, and IPv4 addresses in either notation', () => {
    watch(100, 2);
    const network = open('2001:db8:1:2::1', '2001:db8:1:2:3::4', '2001:db8:1:2:ffff::5');
    const other = open('2001:db8:1:3::1', '2001:db8:1:3::2');
    const mapped = open('192.0.2.7', '::ffff:192.0.2.7', '192.0.2.7');
    expect(network.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect(alive(other)).toBe(2);
    expect(mapped.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect(reasons).toEqual(['address_limit', 'address_limit']);
  });

  it('does not count the addresses of proxies', () => {
    watch(100, 2);
    expect(alive(open(...Array<string>(10).fill('10.0.0.1')))).toBe(10);
  });

  it('removes closed connections from the count', () => {
    watch(3, 2);
    for (let i = 0; i < 10; i += 1) open('192.0.2.1')[0]!.destroy();
    expect(connections.size).toBe(0);
    expect(alive(open('192.0.2.1', '192.0.2.1', '192.0.2.2'))).toBe(3);
    expect(reasons).toEqual([]);
  });

  it('closes a connection without a remote address', () => {
    watch(3, 2);
    expect(open(undefined)[0]?.destroyed).toBe(true);
    expect(connections.size).toBe(0);
  });

  it('makes room by closing the oldest connection without a token, then the oldest idle one, but never a busy one', () => {
    watch(3, 100);
    const [known, busy, stranger] = open('192.0.2.1', '192.0.2.2', '192.0.2.3') as [
      FakeSocket,
      FakeSocket,
      FakeSocket,
    ];
    trust(known);
    trust(busy);
    const response = begin(busy);

    const [second] = open('192.0.2.4') as [FakeSocket];
    expect([known, busy, stranger, second].map(({ destroyed }) => destroyed)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    trust(second);
    begin(second);
    const [third] = open('192.0.2.5') as [FakeSocket];
    expect([known, busy, second, third].map(({ destroyed }) => destroyed)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    trust(third);
    begin(third);

    const [fourth] = open('192.0.2.6') as [FakeSocket];
    expect(alive([busy, second, third, fourth])).toBe(4);
    expect(() => {
      trust(fourth);
    }).toThrow('Service Unavailable');
    const [fifth] = open('192.0.2.7') as [FakeSocket];
    expect([fourth.destroyed, fifth.destroyed]).toEqual([true, false]);
    response.emit('close');
    trust(fifth);
    expect([busy.destroyed, fifth.destroyed]).toEqual([true, false]);
    expect(connections.trustedSize).toBe(3);
  });

  it('leaves a quarter to connections without a token while trusted ones are idle', () => {
    watch(8, 100);
    const known = open(...Array<string>(8).fill('192.0.2.1'));
    for (const socket of known) trust(socket);
    const [first, second, third] = open('192.0.2.2', '192.0.2.3', '192.0.2.4') as [
      FakeSocket,
      FakeSocket,
      FakeSocket,
    ];
    expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([true, false, false]);
    expect([alive(known), connections.size]).toEqual([6, 8]);
    for (const socket of known) if (!socket.destroyed) begin(socket);
    trust(second);
    trust(third);
    const [fourth, fifth] = open('192.0.2.5', '192.0.2.6') as [FakeSocket, FakeSocket];
    expect([second, third, fourth, fifth].map(({ destroyed }) => destroyed)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    begin(fourth);
    trust(fourth);
    open('192.0.2.7');
    expect([fourth.destroyed, fifth.destroyed]).toEqual([false, true]);
    expect(alive(known)).toBe(6);
  });

  it('leaves half of the connections to others while requests of a client are in progress', async () => {
    watch(4, 100);
    const key = { id: 'key', whose: ' of this API key' };
    const [first, second, third] = open('192.0.2.1', '192.0.2.1', '192.0.2.1') as [
      FakeSocket,
      FakeSocket,
      FakeSocket,
    ];
    const response = begin(first);
    trust(first, key);
    begin(second);
    trust(second, key);
    begin(third);
    const refusal = expect.objectContaining({
      code: 'rate_limited',
      detail: 'too many requests of this API key are in progress; see Retry-After',
    });
    expect(() => {
      trust(third, key);
    }).toThrow(refusal);
    expect(connections.trustedSize).toBe(2);
    response.emit('close');
    response.emit('close');
    trust(third, key);
    expect(() => {
      begin(first);
      trust(first, key);
    }).toThrow(refusal);
    trust(first, { ...key, id: 'other' });
    second.destroy();
    first.destroy();
    await new Promise(setImmediate);
    const [fourth] = open('192.0.2.1') as [FakeSocket];
    begin(fourth);
    trust(fourth, key);
  });

  it('does not count a connection that was closed while its request was authenticated', () => {
    watch(2, 100);
    const [gone] = open('192.0.2.1') as [FakeSocket];
    begin(gone);
    gone.destroy();
    trust(gone);
    expect([connections.size, connections.trustedSize]).toEqual([0, 0]);
    expect(alive(open('192.0.2.2', '192.0.2.3'))).toBe(2);
  });

  it('starts a pipelined request after the response to the previous one', () => {
    watch(10, 10);
    const [socket] = open('192.0.2.1') as [FakeSocket];
    const begun: number[] = [];
    const responses = [1, 2, 3].map((number) => {
      const response = new EventEmitter();
      trackRequest({ socket } as unknown as IncomingMessage, response as unknown as ServerResponse, () =>
        begun.push(number),
      );
      return response;
    });
    expect(begun).toEqual([1]);
    responses[0]!.emit('close');
    expect(begun).toEqual([1, 2]);
    socket.destroy();
    responses[1]!.emit('close');
    expect(begun).toEqual([1, 2]);
  });

  it('does not start a pipelined request after a response that has ended the connection', () => {
    watch(10, 10);
    const [socket] = open('192.0.2.1') as [FakeSocket];
    const first = begin(socket);
    const start = jest.fn();
    trackRequest(
      { socket } as unknown as IncomingMessage,
      new EventEmitter() as unknown as ServerResponse,
      start,
    );
    socket.end();
    first.emit('close');
    expect(start).not.toHaveBeenCalled();
  });

  it('ends each connection with the last of its requests in progress, or else with its next one', () => {
    watch(10, 10);
    const request = (socket: FakeSocket, headersSent = false) => {
      const response = Object.assign(new EventEmitter(), { headersSent, setHeader: jest.fn() });
      server.emit('request', { socket }, response);
      trackRequest(
        { socket } as unknown as IncomingMessage,
        response as unknown as ServerResponse,
        () => undefined,
      );
      return response;
    };
    const [pipelining, late, idle] = open('192.0.2.1', '192.0.2.2', '192.0.2.3');
    trust(pipelining!);
    const before = [request(pipelining!), request(pipelining!), request(late!, true)];
    connections.endWithResponses(server as Server);
    const after = [request(late!), request(idle!)];
    expect(before.map(({ setHeader }) => setHeader.mock.calls)).toEqual([[], [['Connection', 'close']], []]);
    expect(after.map(({ setHeader }) => setHeader.mock.calls)).toEqual(
      Array(2).fill([['Connection', 'close']]),
    );
  });

  it('closes connections without a request a second or two after a server that stops has closed its listener', () => {
    jest.useFakeTimers();
    watch(10, 10);
    const listener = Object.assign(server, { listening: true });
    const [silent, trusted, busy, ending] = open('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4');
    trust(trusted!);
    const response = begin(busy!);
    ending!.end();
    const closed = () => [silent, trusted, busy, ending].map((socket) => socket!.destroyed);
    jest.advanceTimersByTime(60_000);
    connections.endWithResponses(server as Server);
    jest.advanceTimersByTime(60_000);
    expect(closed()).toEqual([false, false, false, false]);
    listener.listening = false;
    jest.advanceTimersByTime(1_000);
    expect(closed()).toEqual([false, false, false, false]);
    const [late] = open('192.0.2.5');
    jest.advanceTimersByTime(1_000);
    expect(closed()).toEqual([true, true, false, false]);
    expect(late!.destroyed).toBe(false);
    response.emit('close');
    jest.advanceTimersByTime(2_000);
    expect(closed()).toEqual([true, true, true, false]);
    expect(reasons).toEqual([]);
  });

  it('emits close on all pipelined responses when their connection closes', async () => {
    watch(10, 10);
    const [socket] = open('192.0.2.1') as [FakeSocket];
    const closed: number[] = [];
    for (const number of [1, 2, 3]) begin(socket).once('close', () => closed.push(number));
    socket.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toEqual([1, 2, 3]);
    expect(connection(socket).exchanges.size).toBe(0);
  });

  it('closes only a connection with pending bytes and no progress for 20 s', () => {
    jest.useFakeTimers({ now: 0 });
    watch(10, 10);
    const [stuck, moving, drained] = open('192.0.2.1', '192.0.2.1', '192.0.2.1') as [
      FakeSocket,
      FakeSocket,
      FakeSocket,
    ];
    for (const socket of [stuck, moving]) socket.writableLength = 5000;
    for (let second = 0; second < 19; second += 1) {
      moving.bytesWritten += 100;
      jest.advanceTimersByTime(1000);
    }
    expect(alive([stuck, moving, drained])).toBe(3);
    moving.bytesWritten += 100;
    jest.advanceTimersByTime(2000);
    expect([stuck, moving, drained].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
    expect(reasons).toEqual(['unread_response']);
  });
});
