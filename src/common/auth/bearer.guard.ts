import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DomainError } from '../errors/domain-error';
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
    if (this.authenticator.isAuthenticated(context.switchToHttp().getRequest<Request>())) return true;
    throw new DomainError(
      'unauthorized',
      'Unauthorized',
      'exactly one Authorization header of the form "Bearer <API key>" is required',
    );
  }
}
