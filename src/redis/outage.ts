import type { Logger } from '@nestjs/common';
import { causeOf } from '../common/errors/error-cause';

/** Logs once that something fails, and once that it works again, however often either is observed. */
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
    this.logger.warn(this.begun, { ...this.fields, cause: causeOf(cause) });
  }

  end(): void {
    if (!this.#ongoing) return;
    this.#ongoing = false;
    this.logger.log(this.ended, this.fields);
  }
}
