import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { isLate } from '../access/ongoing-access';
import type { Principal } from '../access/principal';
import { ScopeGuard } from '../access/scope.guard';
import { currentRequest, type RequestContext } from '../common/http/request-context';
import { Authenticator } from './authenticator';
import { unauthorized } from './unauthorized';

/**
 * Authorises a request again if its body arrived late, based on the current state of the database. Otherwise a client
 * could hold back the end of a body and use a key that was revoked, rotated or narrowed meanwhile. It runs after the
 * body has been read. Requests with the root key are exempt, because that key is valid for as long as the process runs.
 */
@Injectable()
export class LateBodyGuard implements CanActivate {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly scopes: ScopeGuard,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const current = currentRequest();
    const known = current?.principal;
    if (known?.kind !== 'api_key' || !current || !isLate(current)) return true;
    return this.admitAgain(context, current, known);
  }

  private async admitAgain(
    context: ExecutionContext,
    current: RequestContext,
    known: Principal,
  ): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const principal = await this.authenticator.authenticateAgain(request, known);
    if (!principal) throw unauthorized();
    current.principal = principal;
    return this.scopes.canActivate(context);
  }
}
