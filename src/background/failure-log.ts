import type { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';

/**
 * Logs that something fails, and that it works again. Work that is repeated every few seconds would otherwise fill the
 * log during an outage.
 */
export class FailureLog {
  private cause: string | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly fields: object = {},
  ) {}

  /** Logs a failure unless the last attempt failed for the same cause. */
  failed(message: string, error: unknown): void {
    const cause = causeOf(error);
    if (cause !== this.cause) this.logger.warn(message, { ...this.fields, cause });
    this.cause = cause;
  }

  /** Logs the end of a failure, if there was one. */
  succeeded(message: string): void {
    if (this.cause !== undefined) this.logger.log(message, this.fields);
    this.cause = undefined;
  }
}
