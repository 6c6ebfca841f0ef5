import { Injectable, Logger } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { causeOf } from '../common/errors/error-cause';
import { SigningFreezeService } from './signing-freeze.service';

/** The metrics are public: the database is queried at most this often, however often they are scraped. */
const SHARED_FOR_MS = 1000;

/** Whether signing is frozen, read when the metrics are scraped. */
@Injectable()
export class SigningFreezeMetrics {
  private readonly logger = new Logger(SigningFreezeMetrics.name);
  private readonly gauge: Gauge;
  private reading: Promise<void> = Promise.resolve();
  private readAt = -Infinity;

  constructor(
    registry: Registry,
    private readonly freeze: SigningFreezeService,
  ) {
    this.gauge = new Gauge({
      name: 'signing_frozen',
      aggregator: 'max',
      help: '1 while signing is frozen on all instances, else 0; read from the database, and without a value while that is away',
      registers: [registry],
      collect: () => this.readOnce(),
    });
  }

  private readOnce(): Promise<void> {
    if (performance.now() - this.readAt > SHARED_FOR_MS) {
      this.readAt = performance.now();
      this.reading = this.read();
    }
    return this.reading;
  }

  /** Without a database the gauge has no value; the other metrics are still exposed. */
  private async read(): Promise<void> {
    try {
      this.gauge.set((await this.freeze.state()).frozen ? 1 : 0);
    } catch (error) {
      this.gauge.remove();
      this.logger.warn('Whether signing is frozen could not be read', {
        cause: causeOf(error),
      });
    }
  }
}
