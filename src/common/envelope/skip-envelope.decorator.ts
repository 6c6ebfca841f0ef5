import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const SKIP_ENVELOPE = 'envelope:skip';

/** The handler's result is the whole body: plain text, the exposition format of Prometheus, a bare JSON array. */
export const SkipEnvelope = (): CustomDecorator => SetMetadata(SKIP_ENVELOPE, true);
