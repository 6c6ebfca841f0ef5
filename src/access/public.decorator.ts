import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const PUBLIC_ROUTE = 'auth:public';

/** The only way past the bearer guard. A spec holds the literal list of the routes that carry it. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC_ROUTE, true);
