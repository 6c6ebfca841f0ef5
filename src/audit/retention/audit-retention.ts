import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Loop } from '../../background/loop';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig } from '../../config/app-config';
import { OldChains } from './old-chains';

/** Between two batches, for those who wait for the database. */
const BATCH_PAUSE_MS = 50;
const PURGE_MS = 3_600_000;

/** Purges whole chains that are older than the retention: at the start and every hour. Their signed heads stay. */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AuditRetention.name);
  private readonly retentionMs: number | undefined;
  private readonly isActive: boolean;
  private readonly loop = new Loop(() => this.purgeSome());

  constructor(
    private readonly chains: OldChains,
    config: ConfigService<AppConfig, true>,
  ) {
    this.retentionMs = config.get('audit', { infer: true }).retentionMs;
    this.isActive = config.get('background', { infer: true }) && this.retentionMs !== undefined;
  }

  onApplicationBootstrap(): void {
    if (this.isActive) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns how long to pause, in milliseconds */
  private async purgeSome(): Promise<number> {
    if (this.retentionMs === undefined) return PURGE_MS;
    try {
      const before = new Date(Date.now() - this.retentionMs);
      return (await this.chains.purgeSome(before)) ? BATCH_PAUSE_MS : PURGE_MS;
    } catch (error) {
      this.logger.warn('Old audit events could not be purged', { cause: causeOf(error) });
      return PURGE_MS;
    }
  }
}
