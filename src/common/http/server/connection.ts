import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request in progress and the response to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Why the server closed a connection, as metrics name it. */
export const CLOSING_REASONS = [
  'connection_limit',
  'address_limit',
  'pipelining',
  'unread_response',
  'unread_bytes',
] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/** What limits a connection. */
export interface ConnectionOwner {
  /** @throws DomainError `overloaded` */
  trust(connection: Connection): void;
  /** At once, whatever is in progress on it. */
  close(connection: Connection, reason: ClosingReason): void;
}

/** One open connection, as the limits see it. */
export class Connection {
  /** Requests whose responses have not been handed to the operating system, in the order of their arrival. */
  readonly exchanges = new Set<Exchange>();
  /** Whether a request with a valid token has come on it. */
  isTrusted = false;
  /** Whether what follows the request that is being served cannot be read: the connection ends after its response. */
  isBroken = false;
  /** Bytes that the socket had taken over when its unsent bytes were last seen to move. */
  bytesWritten = 0;
  /** When they were last seen to move; undefined while nothing is unsent. */
  unsentSince: number | undefined;

  /** @param group whose limit it counts against; undefined for a proxy, which stands for many clients */
  constructor(
    readonly socket: Socket,
    readonly owner: ConnectionOwner,
    readonly group: string | undefined,
  ) {
    connections.set(socket, this);
  }

  /** Records that its client is known. @throws DomainError `overloaded` where there are too many of these */
  trust(): void {
    if (!this.isTrusted) this.owner.trust(this);
  }

  /** The request in progress that came last. */
  get lastExchange(): Exchange | undefined {
    return this.exchanges.size > 0 ? [...this.exchanges].at(-1) : undefined;
  }
}

const connections = new WeakMap<Socket, Connection>();

/** Undefined for a socket of a server without limits. */
export const connectionOf = (socket: Socket): Connection | undefined => connections.get(socket);
