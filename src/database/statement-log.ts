import { Logger as NestLogger } from '@nestjs/common';
import type { Logger } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';

/** TypeORM reports migrations that failed and those that have run by the same method. */
const FAILED_MIGRATION = /^Migration ".*" failed/;

/**
 * Writes TypeORM's messages to the service's log. Statement parameters are never logged, because they may be secrets.
 */
export class StatementLog implements Logger {
  private readonly logger = new NestLogger('Database');

  logQuery(): void {
    // One line per statement would flood the log.
  }

  logQueryError(error: string | Error, statement: string): void {
    this.logger.debug('Statement failed', {
      statement,
      cause: typeof error === 'string' ? error : causeOf(error),
    });
  }

  logQuerySlow(milliseconds: number, statement: string): void {
    this.logger.warn('Slow statement', { statement, duration_ms: milliseconds });
  }

  logSchemaBuild(message: string): void {
    this.logger.debug(message);
  }

  logMigration(message: string): void {
    if (FAILED_MIGRATION.test(message)) this.logger.error(message);
    else this.logger.log(message);
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](message);
  }
}
