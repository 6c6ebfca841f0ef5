import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const RATE_LIMITED = 'throttling:rate-limited';

/**
 * Marks the routes for relayers and signing. On these, requests with a valid token count against one allowance, and on
 * all other routes against a second one, so that administration does not delay signing. Requests without a valid token
 * count against their address on every route.
 */
export const RateLimited = (): CustomDecorator => SetMetadata(RATE_LIMITED, true);
