import type { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';

/** A failure that lasts is logged again after this time: older lines may no longer be stored. */
const AGAIN_MS = 3_600_000;

/**
 * Logs that something fails, and that it works again. Work that is repeated every few seconds would otherwise fill the
 * log during an outage.
 */
export class FailureLog {
  private cause: string | undefined;
  private loggedAt = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(
    private readonly logger: Pick<Logger, 'warn' | 'log'>,
    private readonly fields: object = {},
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Logs a failure unless one with the same cause was logged within the last hour, and nothing succeeded since. */
  failed(message: string, error: unknown): void {
    const cause = causeOf(error);
    if (cause === this.cause && this.now() - this.loggedAt < AGAIN_MS) return;
    this.logger.warn(message, { ...this.fields, cause });
    this.cause = cause;
    this.loggedAt = this.now();
  }

  /** Logs the end of a failure, if there was one. */
  succeeded(message: string): void {
    if (this.cause !== undefined) this.logger.log(message, this.fields);
    this.cause = undefined;
  }
}
