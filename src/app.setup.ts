import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { EnvelopeAdapter } from './common/envelope/envelope.adapter';
import { currentRequest } from './common/http/request-context';
import { requestId } from './common/http/request-id.middleware';
import { requestTimeout } from './common/http/request-timeout';
import { logRequest } from './common/logging/request-log';
import { serveOpenApi } from './common/openapi/document';
import { JSON_MEDIA_TYPES } from './common/validation/json-body.pipe';
import type { AppConfig } from './config/app-config';
import { HttpMetrics, routeTemplate } from './metrics/http-metrics';

const MAX_BODY_BYTES = 1024 * 1024;

/** Makes an HTTP application of a module; `main.ts` and every e2e test use this one. */
export async function createApplication(
  root: Type | DynamicModule,
  config: AppConfig,
  logger: LoggerService | false,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(root, new EnvelopeAdapter(), {
    logger,
    bodyParser: false,
    abortOnError: false,
  });
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.http.trustProxy);
  app.use(requestId, observeRequests(app.get(HttpMetrics)));
  // Bytes only: the body is parsed after the guards, so that nobody without a token makes the service parse.
  app.useBodyParser('raw', { type: JSON_MEDIA_TYPES, limit: MAX_BODY_BYTES });
  app.use(requestTimeout(config.http.requestTimeoutMs));
  serveOpenApi(app);
  const server = app.getHttpServer();
  server.requestTimeout = config.http.requestTimeoutMs;
  server.headersTimeout = Math.min(config.http.requestTimeoutMs, 10_000);
  return app;
}

function observeRequests(metrics: HttpMetrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const start = performance.now();
    const context = currentRequest();
    response.once('close', () => {
      if (context) context.isOver = true;
      const seconds = (performance.now() - start) / 1000;
      metrics.observe(request, response, seconds);
      logRequest(request, response, routeTemplate(request), seconds);
    });
    next();
  };
}
