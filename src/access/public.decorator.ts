import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = 'auth:public';

/** Exempts a route from the bearer guard; nothing else does. A spec lists all routes with this decorator. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC_ROUTE, true);
