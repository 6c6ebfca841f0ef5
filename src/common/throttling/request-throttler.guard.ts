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
import { addressTracker, PUBLIC_BUCKET, publicTracker } from './address-allowance';
import { RATE_LIMITED } from './rate-limited.decorator';
import { UNLIMITED } from './unlimited.decorator';

/**
 * Limits requests before the bearer guard refuses them. A valid token has an allowance for all routes marked
 * {@link RATE_LIMITED} and one for all others. Everybody else has the allowance of the client address, on every route,
 * so that neither guessing tokens nor changing the header buys a fresh one. Public routes have one per address of their
 * own, except those marked {@link UNLIMITED}.
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
    const targets = [context.getHandler(), context.getClass()];
    const isPublic = this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_ROUTE, targets) ?? false;
    const isUnlimited = isPublic && this.reflector.getAllAndOverride<boolean | undefined>(UNLIMITED, targets);
    if (!throttler || isUnlimited) return Promise.resolve(true);
    const { limit, ttl } = isPublic ? PUBLIC_BUCKET : (throttler as { limit: number; ttl: number });
    return this.handleRequest({
      context,
      limit,
      ttl,
      throttler,
      blockDuration: ttl,
      getTracker: (request) =>
        isPublic ? publicTracker(request as Request) : this.trackerOf(request as Request, targets),
      generateKey: (_context, tracker) => this.generateKey(context, tracker),
    });
  }

  private trackerOf(request: Request, targets: Parameters<Reflector['getAllAndOverride']>[1]): string {
    if (!this.authenticator.isAuthenticated(request)) return addressTracker(request);
    return this.reflector.getAllAndOverride(RATE_LIMITED, targets) ? 'token' : 'token administration';
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
