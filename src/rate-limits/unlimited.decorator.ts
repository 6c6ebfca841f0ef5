import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const UNLIMITED = 'throttling:unlimited';

/** No rate limit at all: for probes, which must never be refused. Only together with `@Public()`. */
export const Unlimited = (): CustomDecorator => SetMetadata(UNLIMITED, true);
