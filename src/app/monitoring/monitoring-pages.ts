import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../../common/errors/domain-error';
import { AddressAllowance } from '../../rate-limits/address-allowance';
import { PAGE_POLICY } from '../../common/http/security-headers';
import { connectionOf } from '../../common/http/server/connection';
import type { Connections } from '../../common/http/server/connections';

const PAGES = /^\/(?:$|(?:metrics|debug\/metrics|api-docs)(?:\/|$))/i;
const OPENAPI = /^\/(?:$|api-docs(?:\/|$))/i;

/**
 * Express middleware for metrics and OpenAPI pages: if these have their own port, they are served only there, and
 * nothing else is. OpenAPI pages are not Nest routes, so they are rate-limited here, just as the throttler limits
 * metrics.
 */
@Injectable()
export class MonitoringPages {
  private connections: Connections | undefined;

  constructor(private readonly allowance: AddressAllowance) {}

  /** Serves the pages only on these connections from now on, and nothing else on them. */
  separate(connections: Connections): void {
    this.connections = connections;
  }

  readonly serve = (request: Request, response: Response, next: NextFunction): void => {
    const { path } = request;
    const isPage = PAGES.test(path);
    if (this.connections) {
      const isSeparate = connectionOf(request.socket)?.owner === this.connections;
      if (isSeparate !== isPage) throw new DomainError('route_not_found', 'Not Found', 'no such route');
    }
    if (isPage && OPENAPI.test(path)) {
      response.setHeader('content-security-policy', PAGE_POLICY);
      this.allowance.chargePublic(request).then(() => next(), next);
    } else next();
  };
}
