import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden } from '../common/errors/domain-error';
import { currentRequest } from '../common/http/request-context';
import { isMarked, metadataOf } from '../common/http/is-marked';
import { IDENTIFIER } from '../common/validation/fields';
import { missingScope } from './assert-scope';
import { currentPrincipal, hasScope } from './principal';
import { PUBLIC_ROUTE } from './public.decorator';
import { REQUIRED_SCOPES } from './require-scope.decorator';
import type { Scope } from './scopes';

/** Adds the relayer of the path to the log lines of the request, if it is a well-formed id. */
function noteRelayer(context: ExecutionContext): void {
  const id = context.switchToHttp().getRequest<Request>().params.relayer_id;
  const request = typeof id === 'string' && IDENTIFIER.test(id) ? currentRequest() : undefined;
  if (request) request.relayerId = id as string;
}

/**
 * Refuses requests whose principal lacks the scope of the route. A route without a declared scope is for the root key
 * only.
 */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    noteRelayer(context);
    const principal = currentPrincipal();
    if (principal?.kind === 'root' || isMarked(context, PUBLIC_ROUTE)) return true;
    const [scope, ...others] = (metadataOf(context, REQUIRED_SCOPES) ?? []) as Scope[];
    if (scope === undefined) throw forbidden('this route is for the root key only');
    const scopes = [scope, ...others] as const;
    if (principal && scopes.some((one) => hasScope(principal, one))) return true;
    throw missingScope(scopes);
  }
}
