import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Authenticator } from '../auth/authenticator';
import { refuseAccess } from '../auth/unauthorized';
import { AddressAllowance } from '../rate-limits/address-allowance';
import { bodyTooLarge } from '../common/http/body/body-errors';
import { announcedLength, MAX_BODY_BYTES } from '../common/http/body/body-length';

/** Paths below the first whose routes take a token; the second are the ones that do not. */
const API = /^\/api\/v1\//i;
const PUBLIC = /^\/api\/v1\/(?:health|ready)\/?$/i;

/**
 * Express middleware against bodies that announce more than 1 MiB: it responds at once, whether there is such a route
 * and whether it takes a body. Without a valid token that is 401 where routes take one, and it counts against the
 * client address as any failed authentication.
 */
@Injectable()
export class OversizedBodies {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly allowance: AddressAllowance,
  ) {}

  readonly reject = (request: Request, response: Response, next: NextFunction): void => {
    if ((announcedLength(request) ?? 0) <= MAX_BODY_BYTES) next();
    else this.failureOf(request, response).then(next, next);
  };

  private async failureOf(request: Request, response: Response): Promise<Error> {
    const { path } = request;
    const needsToken = API.test(path) && !PUBLIC.test(path);
    if (!needsToken || (await this.authenticator.authenticate(request))) return bodyTooLarge();
    await this.allowance.chargeAddress(request);
    return refuseAccess(response);
  }
}
