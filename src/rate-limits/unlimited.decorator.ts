import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const UNLIMITED = 'throttling:unlimited';

/** No rate limit at all: for probes, which must not be turned away. Only beside `@Public()`. */
export const Unlimited = (): CustomDecorator => SetMetadata(UNLIMITED, true);
