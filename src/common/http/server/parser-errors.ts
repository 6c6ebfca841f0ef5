import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Response } from 'express';
import { failure } from '../../envelope/envelope';
import { sendFailure } from '../../errors/send-failure';
import { DomainError, invalidRequest } from '../../errors/domain-error';
import { ERROR_POLICIES, type ErrorCode } from '../../errors/error-codes';
import { errorCodeOf } from '../../errors/error-cause';
import { logFailure } from '../../errors/failure-log';
import { SECURITY_HEADERS } from '../security-headers';
import { runWithRequest } from '../request-context';
import { type Connection, connectionOf, type Exchange } from './connection';
import { endAndLinger } from './linger';

/** Called for each request that the parser rejects, for the metrics. */
export type OnRejected = (status: number, code: ErrorCode) => void;

/**
 * Responds with the failure envelope to requests that Node's HTTP parser rejects, and closes the connection: after an
 * error, the parser does not know where the next request begins.
 */
export function respondToParserErrors(server: Server, onRejected: OnRejected): void {
  const rejected = new WeakSet<Duplex>();
  server.on('clientError', (thrown: Error, stream: Duplex) => {
    // The parser fails again at the following bytes.
    if (rejected.has(stream)) return;
    rejected.add(stream);
    const socket = stream as Socket;
    const connection = connectionOf(socket);
    const [served] = connection?.exchanges ?? [];
    const error = toParserError(thrown, served ? 'request body' : 'request');
    if (!error || !socket.writable) {
      socket.destroy();
      return;
    }
    if (connection && served) endAfter(connection, served, error);
    else {
      onRejected(ERROR_POLICIES[error.code].status, error.code);
      socket.write(responseTo(error));
      endAndLinger(socket);
    }
  });
}

function endAfter(connection: Connection, { request, response }: Exchange, error: DomainError): void {
  if (request.complete || response.writableEnded) {
    // The invalid bytes come after the request, which still needs its own response; an error response could be mistaken
    // for it.
    connection.isBroken = true;
    response.once('close', () => connection.socket.destroy());
    return;
  }
  response.shouldKeepAlive = false;
  runWithRequest(String(response.getHeader('x-request-id')), () => sendFailure(error, response as Response));
}

/** Undefined if the connection itself failed. The parser's message is not forwarded. */
function toParserError(thrown: Error, what: 'request' | 'request body'): DomainError | undefined {
  const code = errorCodeOf(thrown) ?? '';
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError(
        'headers_too_large',
        'Request Header Fields Too Large',
        'the request line and headers must not exceed 16 KiB',
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new DomainError(
        'payload_too_large',
        'Payload Too Large',
        'the chunk extensions of the request body must not exceed 16 KiB',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'Request Timeout', 'the request took too long to arrive');
    case 'HPE_INVALID_EOF_STATE':
      return invalidRequest(`the ${what} ended early`);
    default:
      return code.startsWith('HPE_') ? invalidRequest(`the ${what} is not valid HTTP/1.1`) : undefined;
  }
}

function responseTo(error: DomainError): string {
  const id = randomUUID();
  runWithRequest(id, () => logFailure(error));
  const { status } = ERROR_POLICIES[error.code];
  const body = JSON.stringify(failure(error.message, error.detail));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `x-request-id: ${id}`,
    ...SECURITY_HEADERS.map((header) => header.join(': ')),
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
