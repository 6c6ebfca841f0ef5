import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Those of probes and scrapers. */
const QUIET_ROUTES = /^\/(api\/)?v1\/(health|ready)$|^\/metrics|^\/debug\/metrics/;
const logger = new Logger('Request');

/**
 * Logs a completed request in one line, with its method and route template, and the error code of a failure; never with
 * a path, query or body.
 */
export function logRequest(request: Request, response: Response, route: string, seconds: number): void {
  const code = response.locals.errorCode as string | undefined;
  const fields = {
    method: request.method,
    route,
    status: response.statusCode,
    ...(code !== undefined && { code }),
    duration_ms: Math.round(seconds * 1e6) / 1e3,
    ...(response.writableFinished ? {} : { aborted: true }),
  };
  if (QUIET_ROUTES.test(route)) logger.debug('Request completed', fields);
  else logger.log('Request completed', fields);
}
