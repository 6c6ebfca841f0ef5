import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { awaitsContinue } from '../check-request';
import { currentSharer } from '../client-shares';
import { BodyBudget } from './body-budget';
import { bodyEncoded, jsonRequired } from './body-errors';
import { announcedLength } from './body-length';
import { receiveBody } from './receive-body';
import { mustBeEmpty, takesBody } from './takes-body';
import { keepAliveAfterRead } from './unread-body';

/** `application/json` and, as used by merge patches (RFC 7396), `application/<name>+json`, with any parameters. */
const JSON_MEDIA_TYPE = /^application\/(?:[\w!#$&^.-]+\+)?json[ \t]*(?:;|$)/i;

/**
 * Bodies up to this length use no share of their client if they arrived with their headers, as almost all do: those of
 * all connections together are small, and counting them would cost time.
 */
const UNSHARED_BYTES = 4096;

/**
 * Reads the body into `request.body`, as bytes, if the handler has a body parameter or the body must be empty. It runs
 * after the guards that authorize the request, so the body of a request without a principal is never read. Bodies are
 * never decompressed.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly budget: BodyBudget) {}

  /** @throws DomainError `unsupported_media_type`, `payload_too_large`, `overloaded`, `invalid_request` */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const announced = announcedLength(request);
    if (announced === 0) return true;
    const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers;
    const transfer = request.headers['transfer-encoding']?.trim().toLowerCase();
    const response = http.getResponse<Response>();
    const isCoded = encoding !== undefined && encoding.toLowerCase() !== 'identity';
    // Node removes the chunks, but leaves other codings to the application (RFC 9112, 6.1).
    if (isCoded || (transfer !== undefined && transfer !== 'chunked')) {
      // RFC 9110, 15.5.16: the header lists the accepted codings.
      response.setHeader('Accept-Encoding', 'identity');
      throw bodyEncoded();
    }
    if (!takesBody(context) && !mustBeEmpty(context)) return true;
    // This also applies if the body is optional: a body that the client did send must not be ignored.
    if (!JSON_MEDIA_TYPE.test(type)) throw jsonRequired();
    return this.read(request, response, announced);
  }

  private read(request: Request, response: Response, announced?: number): boolean | Promise<boolean> {
    const isThere = request.complete || request.readableLength === announced;
    if (!isThere) return this.receive(request, response);
    // Like most bodies, this one arrived together with the headers.
    const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
    const sharer = body.length > UNSHARED_BYTES ? currentSharer() : undefined;
    const fault = this.budget.open(response, sharer)(body.length);
    if (fault) throw fault;
    request.body = body;
    // Lets Node process the end of the request.
    request.resume();
    keepAliveAfterRead(request, response);
    return true;
  }

  private async receive(request: Request, response: Response): Promise<boolean> {
    const reserve = this.budget.open(response, currentSharer());
    if (awaitsContinue(request)) response.writeContinue();
    request.body = await receiveBody(request, reserve);
    keepAliveAfterRead(request, response);
    return true;
  }
}
