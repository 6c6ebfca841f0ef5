import type { Request, Response } from 'express';
import { type Span, startSpan } from './spans';
import type { TraceContext } from './trace-context';

/** Probes and scrapes, which come every few seconds, do not start traces. */
const QUIET = /^\/(?:(?:api\/)?v1\/(?:health|ready)|metrics|debug\/metrics)(?:\/|$)/;

/** Starts the span of a request; undefined if spans are not recorded. */
export function startRequestSpan(request: Request, parent: TraceContext | undefined): Span | undefined {
  if (!parent && QUIET.test(request.path)) return undefined;
  return startSpan(request.method, {
    kind: 'server',
    parent,
    attributes: { 'http.request.method': request.method },
  });
}

/** @param route the route template, never the path */
export function endRequestSpan(span: Span, { method }: Request, response: Response, route: string): void {
  const { statusCode, writableFinished } = response;
  span.rename(`${method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': statusCode });
  const code = response.locals.errorCode as string | undefined;
  if (!writableFinished) span.fail('aborted');
  else if (statusCode >= 500) span.fail(code ?? String(statusCode));
  else if (code !== undefined) span.set({ 'error.type': code });
  span.end();
}
