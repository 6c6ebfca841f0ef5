import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Scope } from './scopes';

export const REQUIRED_SCOPES = 'access:scopes';

/**
 * The scope that a route requires. If there are several, any one of them admits the request; the service then uses
 * {@link assertScope} to decide what the request may do.
 */
export const RequireScope = (...scopes: [Scope, ...Scope[]]): CustomDecorator =>
  SetMetadata(REQUIRED_SCOPES, scopes);
