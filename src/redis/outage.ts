import type { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';
import { outsideRequests } from '../common/http/request-context';

/**
 * Logs once that something fails, and once that it works again, however often either is observed. The lines do not name
 * the request that happened to observe it, or that caused a reconnection.
 */
export class Outage {
  #ongoing = false;

  constructor(
    private readonly logger: Logger,
    private readonly begun: string,
    private readonly ended: string,
    private readonly fields: Readonly<Record<string, string>> = {},
  ) {}

  get ongoing(): boolean {
    return this.#ongoing;
  }

  begin(cause: unknown): void {
    if (this.#ongoing) return;
    this.#ongoing = true;
    outsideRequests(() => this.logger.warn(this.begun, { ...this.fields, cause: causeOf(cause) }));
  }

  end(): void {
    if (!this.#ongoing) return;
    this.#ongoing = false;
    outsideRequests(() => this.logger.log(this.ended, this.fields));
  }
}
