import { HttpException, Injectable, Logger } from '@nestjs/common';
import {
  HealthCheckService,
  type HealthIndicatorResult,
  HealthIndicatorService,
  type HealthCheckResult,
} from '@nestjs/terminus';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { causeOf } from '../common/errors/error-cause';
import { within } from '../common/event-loop/within';
import { RecentResult } from '../common/recent-result';
import { assertWritable } from '../database/assert-writable';
import { SigningFreezeService } from '../freeze/signing-freeze.service';
import { Stopping } from '../lifecycle/stopping';
import { RedisService } from '../redis/redis.service';
import { type ReadinessResponse, type SigningState, toReadinessResponse } from './readiness.response';

/** Time for each component of `/v1/ready`. @limit Database and Redis */
const TIMEOUT_MS = 2_000;
/** How long results are reused: probes are public and not rate-limited, so any number may arrive. */
const SHARED_FOR_MS = 500;

/** If `signing` is missing, the database did not respond, and `cause` explains why. */
interface SigningReading {
  signing?: SigningState;
  cause?: string;
}

/** Determines whether the service can work now, and the state of each component. */
@Injectable()
export class ReadinessService {
  private readonly logger = new Logger(ReadinessService.name);
  private readonly checked = new RecentResult(() => this.check(), SHARED_FOR_MS);
  /** A freeze of signing does not make the service unready, because everything else works. */
  private readonly signing = new RecentResult(() => this.readSigningState(), SHARED_FOR_MS);
  private logged = '';
  private loggedAt = -Infinity;

  constructor(
    private readonly health: HealthCheckService,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly indicators: HealthIndicatorService,
    private readonly redis: RedisService,
    private readonly freeze: SigningFreezeService,
    private readonly stopping: Stopping,
  ) {}

  /** A component that is down is reported, not thrown as an error. */
  async report(): Promise<ReadinessResponse> {
    const [checked, { signing, cause }] = await Promise.all([this.checked.get(), this.signing.get()]);
    const report = toReadinessResponse(checked, signing);
    if (this.stopping.hasBegun) report.status = 'shutting_down';
    if (report.status === 'error')
      this.log({
        components: report.components,
        cause: cause ?? (checked.details.database?.message as unknown),
      });
    return report;
  }

  /** One line for all probes that share a result, because their number is not limited. */
  private log(reason: object): void {
    const text = JSON.stringify(reason);
    const now = performance.now();
    if (text === this.logged && now - this.loggedAt <= SHARED_FOR_MS) return;
    [this.logged, this.loggedAt] = [text, now];
    this.logger.warn('Not ready', reason);
  }

  private async readSigningState(): Promise<SigningReading> {
    const reading = this.freeze
      .state()
      .then(({ frozen }): SigningReading => ({ signing: frozen ? 'frozen' : 'active' }));
    try {
      return await within(TIMEOUT_MS, reading, () => ({ cause: `no response within ${TIMEOUT_MS} ms` }));
    } catch (error) {
      return { cause: causeOf(error) };
    }
  }

  private async check(): Promise<HealthCheckResult> {
    try {
      return await this.health.check([
        () => this.checkDatabase(),
        ...(this.redis.configured ? [() => this.pingRedis()] : []),
      ]);
    } catch (error) {
      if (error instanceof HttpException && error.getStatus() === 503)
        return error.getResponse() as HealthCheckResult;
      throw error;
    }
  }

  /** `down` on a read-only server too: nothing can be signed there, because the audit log cannot be written. */
  private async checkDatabase(): Promise<HealthIndicatorResult> {
    return this.indicators
      .check('database')
      .attempt(() => this.assertWritable())
      .withTimeout(TIMEOUT_MS);
  }

  /** The library keeps the message of an error only, which for a DomainError is that of its status. */
  private async assertWritable(): Promise<void> {
    try {
      await assertWritable(this.dataSource);
    } catch (error) {
      throw new Error(causeOf(error), { cause: error });
    }
  }

  /** Never `down`: without Redis everything works, but each instance limits requests by itself. */
  private async pingRedis(): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check('redis');
    const { redis } = await indicator.attempt(() => this.redis.ping()).withTimeout(TIMEOUT_MS);
    return redis.status === 'up' ? indicator.up() : indicator.degraded();
  }
}
