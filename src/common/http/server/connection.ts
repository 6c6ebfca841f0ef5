import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Sharer } from '../client-shares';

/** A request in progress and the response to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Called when the response is closed, if the request counts against a share. */
  release?: () => void;
}

/** Why the server closed a connection: a label of the metrics. */
export const CLOSING_REASONS = [
  'connection_limit',
  'address_limit',
  'pipelining',
  'unread_response',
  'unread_bytes',
] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/** Enforces the limits on connections. */
export interface ConnectionOwner {
  /** Counts a request in progress for a client. @throws DomainError `rate_limited` beyond the client's share */
  share(exchange: Exchange, sharer: Sharer): void;
  /** @throws DomainError `overloaded` */
  trust(connection: Connection): void;
  /** Closes a connection immediately, regardless of requests in progress. */
  close(connection: Connection, reason: ClosingReason): void;
}

/** One open connection, as the limits see it. */
export class Connection {
  /** The requests whose responses have not been handed to the operating system, in the order of arrival. */
  readonly exchanges = new Set<Exchange>();
  /** Whether it has carried an authenticated request. */
  isTrusted = false;
  /** Whether the bytes after the current request cannot be parsed. If so, the connection ends after its response. */
  isBroken = false;
  /** Whether there was no request when the server, which is stopping, last looked. */
  wasSilent = false;
  /** The number of bytes that the socket had accepted when progress was last observed. */
  bytesWritten = 0;
  /** When progress was last observed; undefined while there is nothing to send. */
  unsentSince: number | undefined;

  /** @param group the group whose limit the connection counts against; undefined for a proxy, which has many clients */
  constructor(
    readonly socket: Socket,
    readonly owner: ConnectionOwner,
    readonly group: string | undefined,
  ) {
    connections.set(socket, this);
  }

  /**
   * Marks the client as authenticated, and counts a request for it until its response is closed.
   *
   * @param sharer undefined for a client that may use all connections
   * @throws DomainError `rate_limited` if the client has too many requests in progress, `overloaded` if there are too
   * many trusted connections
   */
  trust(request: IncomingMessage, sharer: Sharer | undefined): void {
    if (sharer)
      for (const exchange of this.exchanges)
        if (exchange.request === request) this.owner.share(exchange, sharer);
    if (!this.isTrusted) this.owner.trust(this);
  }

  /** The last of the requests in progress. */
  get lastExchange(): Exchange | undefined {
    return this.exchanges.size > 0 ? [...this.exchanges].at(-1) : undefined;
  }
}

const connections = new WeakMap<Socket, Connection>();

/** Undefined for a socket of a server without limits. */
export const connectionOf = (socket: Socket): Connection | undefined => connections.get(socket);
