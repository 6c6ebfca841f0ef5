import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type NestApplicationOptions, StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { RawBody } from './raw-body';

/** The operating system limits it further, on Linux to 4096. */
export const BACKLOG = 4096;

/**
 * Extends Express with features that only an adapter can provide. It sends a {@link RawBody}, sends JSON without
 * Express' unnecessary checks, drops results that come after the response to a timeout, and creates requests and
 * responses with the prototypes that Express would set.
 *
 * Express sets the prototype of every request and response. Before Node 22, V8 then gives each of these objects its own
 * hidden class, which takes more than half of the time of a small request. With this adapter Express finds nothing to
 * change.
 */
export class PrototypedExpressAdapter extends ExpressAdapter {
  private classes: ServerOptions = {};

  /** @param serverOptions options of each server for the application */
  constructor(
    private readonly serverOptions: ServerOptions = {},
    private readonly isWorthIt = setsPrototypesSlowly(),
  ) {
    super();
  }

  override initHttpServer(options: NestApplicationOptions): void {
    super.initHttpServer(options);
    const application = this.getInstance<Express>();
    if (this.isWorthIt) this.classes = prototypedClasses(application);
    this.httpServer = options.httpsOptions
      ? createSecureServer({ ...options.httpsOptions, ...this.serverOptions, ...this.classes }, this.listener)
      : this.createServer();
    // The parent class did this for its own server, which never listens.
    if (options.forceCloseConnections)
      (this as unknown as { trackOpenConnections(): void }).trackOpenConnections();
  }

  override reply(response: Response, result: unknown, status?: number): unknown {
    if (result instanceof RawBody) {
      result.send(response);
      return undefined;
    }
    if (response.writableEnded) {
      // The request has timed out and already has its response.
      if (result instanceof StreamableFile) result.getStream().destroy();
      return undefined;
    }
    if (status !== undefined || !isPlainObject(result) || response.hasHeader('Content-Type'))
      return super.reply(response, result, status) as unknown;
    sendJson(response, result);
    return undefined;
  }

  /** Listens with a long backlog: connections of a burst that do not fit are retried only after a second. */
  override listen(port: string | number, host?: string | (() => void), callback?: () => void): Server {
    if (typeof host !== 'string') return super.listen(port, host);
    return this.httpServer.listen(Number(port), host, BACKLOG, callback);
  }

  /** Creates an additional server for the same application. */
  createServer(): Server {
    return createServer({ ...this.serverOptions, ...this.classes }, this.listener);
  }

  /** Express would respond to a target that it cannot parse without any middleware. */
  private get listener(): RequestListener {
    const application = this.getInstance<Express>();
    return (request, response) => {
      const target = request.url ?? '';
      if (!target.startsWith('/') && target !== '*' && !URL.canParse(target)) request.url = UNPARSABLE;
      application(request, response);
    };
  }
}

/** A path that no route has. */
const UNPARSABLE = '/%';

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Sends JSON as Express does, but without its checks of content type, entity tag and freshness. */
function sendJson(response: Response, body: object): void {
  const text = JSON.stringify(body);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

function prototypedClasses(application: Express): ServerOptions {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse<ExpressRequest> {}
  Object.setPrototypeOf(ExpressRequest.prototype, application.request);
  Object.setPrototypeOf(ExpressResponse.prototype, application.response);
  Object.assign(application, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  // The types cannot express that Node creates a response of one class for each request of the other.
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } as unknown as ServerOptions;
}

/** Whether this version of Node benefits from it. */
export const setsPrototypesSlowly = (version = process.versions.node): boolean =>
  Number(version.split('.')[0]) < 22;
