import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { overloaded, RetryLaterError } from '../../errors/retry-later.error';
import { getOrCreate } from '../../get-or-create';
import { clientNetwork } from '../../net/client-network';
import { ClientShares, type Sharer } from '../client-shares';
import {
  type ClosingReason,
  Connection,
  connectionOf,
  type ConnectionOwner,
  type Exchange,
} from './connection';

export interface ConnectionLimits {
  /** The maximum number for all clients together. */
  maxConnections: number;
  /** The maximum number for one client network, counting connections that have not carried an authenticated request. */
  maxConnectionsPerAddress: number;
  /** How long a connection may have unsent bytes of one response. */
  unreadTimeoutMs: number;
}

/**
 * Pipelined requests that may wait on one connection; browsers and HTTP libraries send the next one after the
 * response.
 * @limit Connections and requests
 */
const MAX_PIPELINED = 64;
/**
 * What requests in progress of one API key may use of the connections (`HTTP_MAX_CONNECTIONS`) that those of all other
 * keys leave; more get 429. The root key may use all.
 * @limit Connections and requests
 */
const SHARE_PERCENT = 50;
/**
 * Part of the connections (`HTTP_MAX_CONNECTIONS`) that are kept for clients that have yet to send a token: idle
 * connections of others are closed for them.
 * @limit Connections and requests
 */
const UNTRUSTED_PERCENT = 25;
const SWEEP_MS = 1_000;

/**
 * The open connections of one server.
 *
 * A new connection is always accepted, so that probes and operators get in while an attacker uses up the limit. To make
 * room, the oldest connection without an authenticated request is closed: one from the same client network if that has
 * too many, otherwise the oldest of all. If there are only few of those, the oldest idle trusted one is closed instead:
 * otherwise a client with many idle connections would leave new clients no time to authenticate. A trusted connection
 * with a request in progress is never closed in favour of another one. So that slow requests of one client cannot keep all
 * others out, each client has a share of the connections for its requests in progress.
 */
export class Connections implements ConnectionOwner {
  /** In the order in which they were opened. */
  private readonly untrusted = new Set<Connection>();
  private readonly trusted = new Set<Connection>();
  private readonly groups = new Map<string, Set<Connection>>();
  private readonly inProgress: ClientShares;

  /**
   * @param isProxy whether an address is that of a trusted proxy, whose connections carry the requests of many clients
   * @param onClosed called for each connection that is closed because of a limit
   */
  constructor(
    private readonly limits: ConnectionLimits,
    private readonly isProxy: (address: string) => boolean,
    private readonly onClosed: (reason: ClosingReason) => void,
  ) {
    this.inProgress = new ClientShares(limits.maxConnections, SHARE_PERCENT);
  }

  /** Applies the limits to a server until it is closed. */
  watch(server: Server): void {
    // Prepended to the listener of node:http, which creates a parser.
    server.prependListener('connection', (socket: Socket) => this.open(socket));
    const sweep = setInterval(() => this.closeUnread(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  }

  /**
   * From now on, each connection of a server ends with the last of its requests in progress or else with its next one,
   * and the response says so: a client would otherwise send a request just as an idle connection is closed. Once the
   * server has stopped listening, connections on which no complete head of a request arrives are closed too: Node takes
   * them for active until `headersTimeout`.
   */
  endWithResponses(server: Server): void {
    server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
      response.setHeader('Connection', 'close');
    });
    for (const connections of [this.untrusted, this.trusted])
      for (const { lastExchange } of connections)
        if (lastExchange?.response.headersSent === false)
          lastExchange.response.setHeader('Connection', 'close');
    const sweep = setInterval(() => {
      if (!server.listening) this.closeSilent();
    }, SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  }

  get size(): number {
    return this.untrusted.size + this.trusted.size;
  }

  get trustedSize(): number {
    return this.trusted.size;
  }

  share(exchange: Exchange, sharer: Sharer): void {
    const whose = this.inProgress.take(1, sharer);
    if (whose !== undefined)
      throw new RetryLaterError(
        'rate_limited',
        'Too Many Requests',
        `too many requests${whose} are in progress; see Retry-After`,
        1,
      );
    exchange.release = () => this.inProgress.release(1, sharer);
  }

  /**
   * Refuses the request if all trusted connections, of which there is the maximum number, have requests in progress.
   */
  trust(connection: Connection): void {
    // It may have been closed while its request was authenticated. It would be counted forever, because it has no
    // further `close` event.
    if (!this.untrusted.has(connection)) return;
    if (this.trusted.size >= this.limits.maxConnections) {
      const idle = this.oldestIdle();
      if (!idle) throw overloaded('too many connections have requests in progress');
      this.close(idle, 'connection_limit');
    }
    this.forget(connection);
    connection.isTrusted = true;
    this.trusted.add(connection);
  }

  close(connection: Connection, reason: ClosingReason): void {
    this.forget(connection);
    connection.socket.destroy();
    this.onClosed(reason);
  }

  private open(socket: Socket): void {
    const address = socket.remoteAddress;
    if (address === undefined) {
      // The client has already disconnected.
      socket.destroy();
      return;
    }
    const connection = new Connection(
      socket,
      this,
      this.isProxy(address) ? undefined : clientNetwork(address),
    );
    this.makeRoom(connection);
    this.untrusted.add(connection);
    if (connection.group !== undefined) this.groupOf(connection.group).add(connection);
    socket.once('close', () => {
      this.forget(connection);
      closeQueuedResponses(connection);
    });
  }

  private makeRoom({ group }: Connection): void {
    const siblings = group === undefined ? undefined : this.groups.get(group);
    if (siblings && siblings.size >= this.limits.maxConnectionsPerAddress)
      for (const oldest of siblings) {
        this.close(oldest, 'address_limit');
        return;
      }
    const { maxConnections } = this.limits;
    if (this.size < maxConnections) return;
    const areFew = this.untrusted.size * 100 < UNTRUSTED_PERCENT * maxConnections;
    const [first] = this.untrusted;
    const oldest = areFew ? (this.oldestIdle() ?? first) : first;
    if (oldest) this.close(oldest, 'connection_limit');
  }

  private oldestIdle(): Connection | undefined {
    for (const connection of this.trusted) if (connection.exchanges.size === 0) return connection;
    return undefined;
  }

  private groupOf(name: string): Set<Connection> {
    return getOrCreate(this.groups, name, () => new Set());
  }

  private forget(connection: Connection): void {
    this.untrusted.delete(connection);
    this.trusted.delete(connection);
    if (connection.group === undefined) return;
    const group = this.groups.get(connection.group);
    group?.delete(connection);
    if (group?.size === 0) this.groups.delete(connection.group);
  }

  /** Closes connections without a request at this sweep and the one before: a request may just be arriving. */
  private closeSilent(): void {
    for (const connections of [this.untrusted, this.trusted])
      for (const connection of connections) {
        const { exchanges, socket, wasSilent } = connection;
        connection.wasSilent = exchanges.size === 0 && !socket.writableEnded;
        if (connection.wasSilent && wasSilent) socket.destroy();
      }
  }

  /** Closes connections whose clients have not read a response in time. */
  private closeUnread(): void {
    const now = performance.now();
    for (const connections of [this.untrusted, this.trusted])
      for (const connection of connections)
        if (isStuck(connection, now, this.limits.unreadTimeoutMs)) this.close(connection, 'unread_response');
  }
}

/**
 * Express middleware that tracks each request on its connection. A pipelined request starts after the response to the
 * previous one, which limits the memory of a connection. Node would start all of them immediately.
 */
export function trackRequest(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  const connection = connectionOf(request.socket);
  if (!connection) {
    next();
    return;
  }
  // The parser continues with the bytes it already has, even if the connection has been closed.
  if (request.socket.destroyed) return;
  const { exchanges, lastExchange } = connection;
  if (exchanges.size >= MAX_PIPELINED) {
    connection.owner.close(connection, 'pipelining');
    return;
  }
  const exchange: Exchange = { request, response };
  exchanges.add(exchange);
  response.on('close', () => {
    // There may be a second event.
    if (exchanges.delete(exchange)) exchange.release?.();
  });
  if (!lastExchange) {
    next();
    return;
  }
  // Bound to the context of this request, rather than that of the previous one.
  const begin = AsyncResource.bind(next);
  lastExchange.response.once('close', () => {
    if (connection.isBroken) request.socket.destroy();
    // After a response that ends the connection, there can be no other.
    else if (request.socket.writable) begin();
  });
}

/** The socket makes progress if it accepts more bytes, because a stream waits for room before it continues. */
function isStuck(connection: Connection, now: number, timeoutMs: number): boolean {
  const { socket } = connection;
  if (socket.writableLength === 0) {
    connection.unsentSince = undefined;
    return false;
  }
  if (connection.unsentSince === undefined || socket.bytesWritten !== connection.bytesWritten) {
    connection.unsentSince = now;
    connection.bytesWritten = socket.bytesWritten;
    return false;
  }
  return now - connection.unsentSince >= timeoutMs;
}

/** Node closes only the current response; those queued behind it would not get a `close` event. */
function closeQueuedResponses({ exchanges }: Connection): void {
  if (exchanges.size === 0) return;
  setImmediate(() => {
    for (const { response } of exchanges) response.emit('close');
  });
}
