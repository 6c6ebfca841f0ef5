import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { ConfigService } from '@nestjs/config';
import type { AppConfig } from '../config/app-config';
import { FailureLog } from './failure-log';
import { Loop } from './loop';

/** The pause between two batches, during which others can use the database. */
const BATCH_PAUSE_MS = 50;
const HOUR_MS = 3_600_000;
/** The longest pause after an error, after which work that was to begin at once must not wait for an hour. */
const ERROR_PAUSE_MS = 60_000;

/** Deletes rows that are no longer needed, in batches: at startup and at intervals. */
export abstract class Purge implements OnApplicationBootstrap, OnModuleDestroy {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly failures = new FailureLog(this.logger);
  private readonly loop = new Loop(() => this.step());
  private readonly isActive: boolean;

  /**
   * @param what the rows to purge, in the plural, for the log
   * @param everyMs the interval between two purges
   */
  constructor(
    config: ConfigService<AppConfig, true>,
    private readonly what: string,
    private readonly everyMs = HOUR_MS,
  ) {
    this.isActive = config.get('background', { infer: true });
  }

  /** Deletes a batch of old rows. @returns whether there may be more */
  abstract purgeSome(): Promise<boolean>;

  onApplicationBootstrap(): void {
    if (this.isActive) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** Purges now. */
  wake(): void {
    this.loop.wake();
  }

  /** @returns how long to pause, in milliseconds */
  private async step(): Promise<number> {
    try {
      const more = await this.purgeSome();
      this.failures.succeeded(`Old ${this.what} are purged again`);
      return more ? BATCH_PAUSE_MS : this.everyMs;
    } catch (error) {
      this.failures.failed(`Old ${this.what} could not be purged`, error);
      return Math.min(this.everyMs, ERROR_PAUSE_MS);
    }
  }
}
