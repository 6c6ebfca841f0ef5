import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const RATE_LIMITED = 'throttling:rate-limited';

/** Requests with a valid token count against that token's allowance. Requests without one are always limited. */
export const RateLimited = (): CustomDecorator => SetMetadata(RATE_LIMITED, true);
