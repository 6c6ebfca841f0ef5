import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Authenticator } from '../auth/authenticator';
import { unauthorized } from '../auth/unauthorized';
import { AddressAllowance } from '../rate-limits/address-allowance';
import { bodyTooLarge } from '../common/http/body/body-errors';
import { announcedLength, MAX_BODY_BYTES } from '../common/http/body/body-length';

/** Routes below the first path require a token, except those that match the second. */
const API = /^\/api\/v1\//i;
const PUBLIC = /^\/api\/v1\/(?:health|ready)\/?$/i;

/**
 * Express middleware against bodies with an announced length of more than 1 MiB. It responds immediately, whether or
 * not the route exists and accepts a body. If the route requires a valid token and there is none, the response is 401,
 * and it counts against the client address like any failed authentication. A signed request does not use its nonce.
 */
@Injectable()
export class OversizedBodies {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly allowance: AddressAllowance,
  ) {}

  readonly reject = (request: Request, _response: Response, next: NextFunction): void => {
    if ((announcedLength(request) ?? 0) <= MAX_BODY_BYTES) next();
    else this.failureOf(request).then(next, next);
  };

  private async failureOf(request: Request): Promise<Error> {
    const { path } = request;
    const needsToken = API.test(path) && !PUBLIC.test(path);
    if (!needsToken || (await this.authenticator.identify(request))) return bodyTooLarge();
    await this.allowance.chargeAddress(request);
    return unauthorized();
  }
}
