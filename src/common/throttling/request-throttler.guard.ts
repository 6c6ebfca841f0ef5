import { ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { BearerAuthenticator } from '../auth/bearer-authenticator';
import { PUBLIC_ROUTE } from '../auth/public.decorator';
import { RateLimitedError } from '../errors/rate-limited.error';
import { currentRequest } from '../http/request-context';
import { RATE_LIMITED } from './rate-limited.decorator';

/**
 * Limits requests before the bearer guard refuses them. A valid token has one allowance for all routes marked
 * {@link RATE_LIMITED}; everybody else shares the allowance of the client address, on every route, so that
 * neither guessing tokens nor changing the header buys a fresh one.
 */
@Injectable()
export class RequestThrottlerGuard extends ThrottlerGuard {
  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly authenticator: BearerAuthenticator,
  ) {
    super(options, storage, reflector);
  }

  /** The limit is the same on every route: the decorators of the package, which its own guard asks for, are not used. */
  override canActivate(context: ExecutionContext): Promise<boolean> {
    const [throttler] = this.throttlers;
    if (!throttler || this.isUnlimited(context)) return Promise.resolve(true);
    const { limit, ttl } = throttler as { limit: number; ttl: number };
    return this.handleRequest({
      context,
      limit,
      ttl,
      throttler,
      blockDuration: ttl,
      getTracker: (request) => this.getTracker(request as Request),
      generateKey: (_context, tracker) => this.generateKey(context, tracker),
    });
  }

  private isUnlimited(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride(PUBLIC_ROUTE, targets)) return true;
    const authenticated = this.authenticator.isAuthenticated(context.switchToHttp().getRequest<Request>());
    return authenticated && !this.reflector.getAllAndOverride(RATE_LIMITED, targets);
  }

  protected override async getTracker(request: Request): Promise<string> {
    return this.authenticator.isAuthenticated(request)
      ? 'token'
      : `address ${await super.getTracker(request)}`;
  }

  /** Not by Express, which looks for types of content in each header. */
  protected override setResponseHeader(response: Response, name: string, value: number): void {
    response.setHeader(name, value);
  }

  protected override generateKey(_context: ExecutionContext, tracker: string): string {
    const request = currentRequest();
    if (request) request.rateLimitKey = tracker;
    return tracker;
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new RateLimitedError(timeToBlockExpire);
  }
}
