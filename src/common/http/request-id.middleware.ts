import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { traceOf } from '../tracing/trace-context';
import { clientAddressOf } from './client-address';
import { runWithRequest } from './request-context';
import { setSecurityHeaders } from './security-headers';

const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Sets the request id: the client's if it is well-formed, otherwise a new one. It is part of the response and of every
 * log line. The client's trace context is continued in the same way (W3C Trace Context).
 */
export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
  response.setHeader('x-request-id', id);
  setSecurityHeaders(request, response);
  runWithRequest(id, next, clientAddressOf(request), traceOf(request.headers));
}
