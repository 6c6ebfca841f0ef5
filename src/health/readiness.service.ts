import { HttpException, Injectable, Logger } from '@nestjs/common';
import {
  type HealthCheckAttempt,
  HealthCheckService,
  HealthIndicatorService,
  type HealthCheckResult,
  TypeOrmHealthIndicator,
} from '@nestjs/terminus';
import { RedisService } from '../redis/redis.service';
import { type ReadinessAnswer, toReadinessAnswer } from './readiness.answer';

const TIMEOUT_MS = 2_000;
/** Probes are public and never limited: however many come, components are asked this often. */
const SHARED_FOR_MS = 500;

/** Whether the service can do its work now, and the state of each component that it needs. */
@Injectable()
export class ReadinessService {
  private readonly logger = new Logger(ReadinessService.name);

  constructor(
    private readonly health: HealthCheckService,
    private readonly database: TypeOrmHealthIndicator,
    private readonly indicators: HealthIndicatorService,
    private readonly redis: RedisService,
  ) {}

  /** A component that is down is part of the report, not an error. */
  async report(): Promise<ReadinessAnswer> {
    const report = toReadinessAnswer(await this.check());
    if (report.status === 'error') this.logger.warn('Not ready', { components: report.components });
    return report;
  }

  private async check(): Promise<HealthCheckResult> {
    try {
      return await this.health.check([
        () => this.database.pingCheck('database', { timeout: TIMEOUT_MS }).cacheFor(SHARED_FOR_MS),
        ...(this.redis.configured ? [() => this.pingRedis()] : []),
      ]);
    } catch (error) {
      if (error instanceof HttpException && error.getStatus() === 503)
        return error.getResponse() as HealthCheckResult;
      throw error;
    }
  }

  private pingRedis(): HealthCheckAttempt {
    return this.indicators
      .check('redis')
      .attempt(() => this.redis.ping())
      .withTimeout(TIMEOUT_MS)
      .cacheFor(SHARED_FOR_MS);
  }
}
