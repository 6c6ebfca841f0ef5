import { types } from 'node:util';
import { ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  getOptionsToken,
  getStorageToken,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { GeneralRateLimit } from '../access/general-rate-limit';
import type { Principal } from '../access/principal';
import { Authenticator } from '../auth/authenticator';
import { PUBLIC_ROUTE } from '../access/public.decorator';
import { RateLimitedError } from './rate-limited.error';
import { isMarked } from '../common/http/is-marked';
import { currentRequest } from '../common/http/request-context';
import { AddressAllowance, addressTracker } from './address-allowance';
import { bucketOf } from './bucket';
import { RATE_LIMITED } from './rate-limited.decorator';
import { type Charge, RateLimitStorage } from './rate-limit-storage';
import { UNLIMITED } from './unlimited.decorator';

/** Asks whether a request would be admitted, without counting it. */
const IS_ANY_LEFT: Charge = { cost: 0, required: 1 };

/**
 * Limits requests before the bearer guard refuses them. A principal has one allowance for all routes marked {@link
 * RATE_LIMITED} and another for all others. Requests without a principal share the allowance of their client address on
 * every route, so that neither guessing tokens nor changing the header yields a new one. Public routes have a separate
 * allowance per address, except those marked {@link UNLIMITED}.
 *
 * The nonce of a signed request is used only if its principal has an allowance left, so that a key beyond its limit
 * writes no rows, except for requests that arrive together with the last one within the limit. A replay is counted against its address.
 */
@Injectable()
export class RequestThrottlerGuard extends ThrottlerGuard {
  constructor(
    @Inject(getOptionsToken()) options: ThrottlerModuleOptions,
    @Inject(getStorageToken()) private readonly storage: RateLimitStorage,
    reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly allowance: AddressAllowance,
    private readonly general: GeneralRateLimit,
  ) {
    super(options, storage, reflector);
  }

  /**
   * The limit is the same on every route, so the package's decorators are not used. API keys may have limits of their
   * own.
   */
  override canActivate(context: ExecutionContext): Promise<boolean> {
    if (isMarked(context, PUBLIC_ROUTE)) return this.admitPublic(context);
    const request = context.switchToHttp().getRequest<Request>();
    const found = this.authenticator.identify(request);
    return types.isPromise(found)
      ? found.then((principal) =>
          principal && this.authenticator.hasNonce(request)
            ? this.admitSigned(request, principal, context)
            : this.admit(request, principal, context),
        )
      : this.admit(request, found, context);
  }

  private async admitSigned(
    request: Request,
    identified: Principal,
    context: ExecutionContext,
  ): Promise<boolean> {
    await this.storage.take(trackerOf(identified, context), this.bucketFor(identified), IS_ANY_LEFT);
    return this.admit(request, await this.authenticator.authenticate(request), context);
  }

  private admit(
    request: Request,
    principal: Principal | undefined,
    context: ExecutionContext,
  ): Promise<boolean> {
    const [throttler] = this.throttlers;
    if (!throttler) return Promise.resolve(true);
    const { limit, ttl } = this.bucketFor(principal);
    const tracker = principal ? trackerOf(principal, context) : addressTracker(request);
    return this.handleRequest({
      context,
      limit,
      ttl,
      throttler,
      blockDuration: ttl,
      getTracker: () => tracker,
      generateKey: () => this.generateKey(context, tracker),
    });
  }

  private bucketFor(principal: Principal | undefined): ReturnType<typeof bucketOf> {
    return bucketOf(principal?.rateLimit ?? this.general.current);
  }

  private async admitPublic(context: ExecutionContext): Promise<boolean> {
    if (!isMarked(context, UNLIMITED))
      await this.allowance.chargePublic(context.switchToHttp().getRequest<Request>());
    return true;
  }

  /**
   * Does not use Express, which checks every header for a content type. If the rest of the request was not HTTP, the
   * response has been sent already.
   */
  protected override setResponseHeader(response: Response, name: string, value: number): void {
    if (!response.headersSent) response.setHeader(name, value);
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

function trackerOf({ id }: Principal, context: ExecutionContext): string {
  return isMarked(context, RATE_LIMITED) ? `principal ${id}` : `principal ${id} administration`;
}
