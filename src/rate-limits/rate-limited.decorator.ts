import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const RATE_LIMITED = 'throttling:rate-limited';

/**
 * Relayers and signing: requests with a valid token count against one allowance, all other routes against a second one,
 * so that administration does not hold up signing. Requests without a valid token count against their address on every route.
 */
export const RateLimited = (): CustomDecorator => SetMetadata(RATE_LIMITED, true);
