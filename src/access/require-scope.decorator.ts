import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Scope } from './scopes';

export const REQUIRED_SCOPES = 'access:scopes';

/**
 * The scope that a route requires. Of several, one is enough to enter; what the request may then do, its service decides by
 * {@link assertScope}.
 */
export const RequireScope = (...scopes: [Scope, ...Scope[]]): CustomDecorator =>
  SetMetadata(REQUIRED_SCOPES, scopes);
