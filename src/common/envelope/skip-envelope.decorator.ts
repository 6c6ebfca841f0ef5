import { type CustomDecorator, SetMetadata } from '@nestjs/common';

export const SKIP_ENVELOPE = 'envelope:skip';

/** Sends the handler's result as the whole body: plain text, the Prometheus exposition format, a bare JSON array. */
export const SkipEnvelope = (): CustomDecorator => SetMetadata(SKIP_ENVELOPE, true);
