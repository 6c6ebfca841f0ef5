import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { ClosingReason } from './connection';
import { type ConnectionLimits, Connections } from './connections';
import { type OnRejected, respondToParserErrors } from './parser-errors';

/** How often Node looks for requests that take too long to arrive; its own default is 30 s. */
const CHECK_MS = 500;

/** What the metrics hear of connections that were closed, and of requests that never became one. */
export interface ServerObserver {
  connectionClosed: (reason: ClosingReason) => void;
  requestRejected: OnRejected;
}

/**
 * The options of a server that strangers may call.
 *
 * @param requestTimeoutMs until a request has arrived in full
 * @param headersTimeoutMs until its headers have
 */
export const serverOptions = (requestTimeoutMs: number, headersTimeoutMs: number): ServerOptions => ({
  requestTimeout: requestTimeoutMs,
  headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
  connectionsCheckingInterval: CHECK_MS,
  // `checkRequest` responds to a request without it, in the envelope.
  requireHostHeader: false,
});

/** Limits the connections of a server, and has it respond in the envelope to what its parser rejects. */
export function protectServer(
  server: Server,
  limits: ConnectionLimits,
  isProxy: (address: string) => boolean,
  { connectionClosed, requestRejected }: ServerObserver,
): Connections {
  const connections = new Connections(limits, isProxy, connectionClosed);
  connections.watch(server);
  respondToParserErrors(server, requestRejected);
  // Node would send `100 Continue` before the guards, and 417 without a body: `BodyGuard` and `checkRequest` do.
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    server.emit('request', request, response);
  };
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  return connections;
}
