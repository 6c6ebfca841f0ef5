import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { LessThan } from 'typeorm';
import { Pause } from '../../common/event-loop/pause';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { deleteSome } from './delete-deliveries';
import { DeliveryEntity } from './delivery.entity';

/** Between two batches, for those who wait for the database. */
const BATCH_PAUSE_MS = 50;
const PURGE_MS = 3_600_000;

/** Forgets deliveries that were finished long ago: at the start and every hour, in the background. */
@Injectable()
export class DeliveryRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryRetention.name);
  private readonly retentionMs: number;
  private readonly isActive: boolean;
  private readonly pause = new Pause();
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    this.retentionMs = config.get('webhooks', { infer: true }).retentionMs;
    this.isActive = config.get('background', { infer: true });
  }

  onApplicationBootstrap(): void {
    if (this.isActive) this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.pause.end();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) await this.pause.take(await this.purgeSome());
  }

  /** Answers how long to pause, in milliseconds. */
  private async purgeSome(): Promise<number> {
    const old = { finishedAt: LessThan(new Date(Date.now() - this.retentionMs)) };
    try {
      const deleted = await this.unitOfWork.run(() =>
        deleteSome(this.unitOfWork.repository(DeliveryEntity), old),
      );
      return deleted ? BATCH_PAUSE_MS : PURGE_MS;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      this.logger.warn('Old deliveries could not be purged', { cause });
      return PURGE_MS;
    }
  }
}
