import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Eventually, whenThere } from '../common/event-loop/eventually';
import { isMarked } from '../common/http/is-marked';
import { currentSharer } from '../common/http/client-shares';
import { currentRequest } from '../common/http/request-context';
import { connectionOf } from '../common/http/server/connection';
import { Authenticator } from './authenticator';
import { PUBLIC_ROUTE } from '../access/public.decorator';
import { unauthorized } from './unauthorized';

/**
 * Refuses every request without a principal, except on routes marked as public. Makes the principal available to the
 * request.
 */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  canActivate(context: ExecutionContext): Eventually<boolean> {
    if (isMarked(context, PUBLIC_ROUTE)) return true;
    const request = context.switchToHttp().getRequest<Request>();
    return whenThere(this.authenticator.authenticate(request), (principal) => {
      if (!principal) throw unauthorized();
      const current = currentRequest();
      if (current) {
        current.principal = principal;
        current.keyId = principal.id;
      }
      connectionOf(request.socket)?.trust(request, currentSharer());
      return true;
    });
  }
}
