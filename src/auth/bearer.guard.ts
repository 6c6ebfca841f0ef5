import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { unauthorized } from './unauthorized';
import { connectionOf } from '../common/http/server/connection';
import { BearerAuthenticator } from './bearer-authenticator';
import { PUBLIC_ROUTE } from './public.decorator';

/** Refuses every request without the API key, except on routes marked public. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: BearerAuthenticator,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.getAllAndOverride(PUBLIC_ROUTE, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (!this.authenticator.isAuthenticated(request)) throw unauthorized();
    connectionOf(request.socket)?.trust();
    return true;
  }
}
