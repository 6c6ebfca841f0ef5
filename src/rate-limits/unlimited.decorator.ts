import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const UNLIMITED = 'throttling:unlimited';

/**
 * Exempts a route from all rate limits, for probes, which must never be refused. Must be used together with
 * `@Public()`.
 */
export const Unlimited = (): CustomDecorator => SetMetadata(UNLIMITED, true);
