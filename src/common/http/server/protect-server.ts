import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { ClosingReason } from './connection';
import { type ConnectionLimits, Connections } from './connections';
import { type OnRejected, respondToParserErrors } from './parser-errors';

/** How often Node checks for requests that take too long to arrive; Node's default is 30 s. */
const CHECK_MS = 500;

/** Called for connections that are closed and requests that are rejected, for the metrics. */
export interface ServerObserver {
  connectionClosed: (reason: ClosingReason) => void;
  requestRejected: OnRejected;
}

export interface ServerTimeouts {
  /** The time limit for receiving a complete request. */
  requestTimeoutMs: number;
  /** The time limit for receiving its headers. */
  headersTimeoutMs: number;
  /** How long a connection stays open without a request. */
  keepAliveMs: number;
}

/** The options of a server for untrusted clients. */
export const serverOptions = ({
  requestTimeoutMs,
  headersTimeoutMs,
  keepAliveMs,
}: ServerTimeouts): ServerOptions => ({
  requestTimeout: requestTimeoutMs,
  headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
  // A proxy that keeps a connection for longer may send a request just as it is closed, and gets no response.
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: CHECK_MS,
  // `checkRequest` responds to a request without a Host header, in the envelope.
  requireHostHeader: false,
});

/** Limits the connections of a server, and responds in the envelope to requests that its parser rejects. */
export function protectServer(
  server: Server,
  limits: ConnectionLimits,
  isProxy: (address: string) => boolean,
  { connectionClosed, requestRejected }: ServerObserver,
): Connections {
  const connections = new Connections(limits, isProxy, connectionClosed);
  connections.watch(server);
  respondToParserErrors(server, requestRejected);
  // Node would send `100 Continue` before the guards run, and 417 without a body. `BodyGuard` and `checkRequest` send
  // them instead.
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  return connections;
}
