import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, NextFunction, Request, Response } from 'express';
import { PrototypedExpressAdapter } from '../common/http/prototyped-express.adapter';
import { OversizedBodies } from './oversized-bodies';
import { closeUnlessRead } from '../common/http/body/unread-body';
import { checkRequest } from '../common/http/check-request';
import { MonitoringPages } from './monitoring/monitoring-pages';
import { currentRequest } from '../common/http/request-context';
import { inSequence } from '../common/http/in-sequence';
import { trustProxies } from '../common/http/client-address';
import { requestId } from '../common/http/request-id.middleware';
import { requestTimeout } from '../common/http/request-timeout';
import { trackRequest } from '../common/http/server/connections';
import { serverOptions } from '../common/http/server/protect-server';
import { logRequest } from '../common/logging/request-log';
import { serveOpenApi } from './openapi/openapi-document';
import { limitServers } from './servers';
import { endRequestSpan, startRequestSpan } from '../common/tracing/request-span';
import type { AppConfig } from '../config/app-config';
import { HttpMetrics, routeTemplate } from '../metrics/http-metrics';

/**
 * Creates the HTTP application of a module; `main.ts` and every e2e test use it.
 *
 * @param logger the logger for the whole process; if omitted, the existing one is kept
 * @param path the path of the service in a host application
 */
export async function createApplication(
  root: Type | DynamicModule,
  config: AppConfig,
  logger?: LoggerService | false,
  path = '/',
): Promise<NestExpressApplication> {
  const { requestTimeoutMs, trustProxy } = config.http;
  const adapter = new PrototypedExpressAdapter(serverOptions(config.http));
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    ...(logger !== undefined && { logger }),
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  trustProxies(adapter.getInstance<Express>(), trustProxy);
  limitServers(app, adapter, config.http);
  app.use(
    inSequence([
      trackRequest,
      requestId,
      observeRequests(app.get(HttpMetrics)),
      closeUnlessRead,
      checkRequest,
      requestTimeout(requestTimeoutMs),
      app.get(OversizedBodies).reject,
      app.get(MonitoringPages).serve,
    ]),
  );
  serveOpenApi(app, path);
  return app;
}

function observeRequests(metrics: HttpMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    const context = currentRequest();
    const span = startRequestSpan(request, context?.trace);
    if (context && span) context.trace = span.context;
    response.once('close', () => {
      if (context) context.isOver = true;
      const seconds = (performance.now() - start) / 1000;
      const route = routeTemplate(request);
      metrics.observe(request, response, seconds);
      logRequest(request, response, route, seconds);
      if (span) endRequestSpan(span, request, response, route);
    });
    next();
  };
}
