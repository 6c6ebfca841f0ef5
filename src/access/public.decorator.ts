import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = 'auth:public';

/**
 * Exempts a route from the bearer guard; nothing else does. Its requests have no principal, so no scope, and reach no
 * relayer. A spec lists all routes of the service with this decorator.
 */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC_ROUTE, true);
