import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { LessThan } from 'typeorm';
import { Loop } from '../../background/loop';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { deleteSome } from './delete-deliveries';
import { DeliveryEntity } from './delivery.entity';

/** Between two batches, for those who wait for the database. */
const BATCH_PAUSE_MS = 50;
const PURGE_MS = 3_600_000;

/** Deletes deliveries that were finished long ago: at the start and every hour. */
@Injectable()
export class DeliveryRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DeliveryRetention.name);
  private readonly retentionMs: number;
  private readonly isActive: boolean;
  private readonly loop = new Loop(() => this.purgeSome());

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    this.retentionMs = config.get('webhooks', { infer: true }).retentionMs;
    this.isActive = config.get('background', { infer: true });
  }

  onApplicationBootstrap(): void {
    if (this.isActive) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns how long to pause, in milliseconds */
  private async purgeSome(): Promise<number> {
    const old = { finishedAt: LessThan(new Date(Date.now() - this.retentionMs)) };
    try {
      const deleted = await this.unitOfWork.run(() =>
        deleteSome(this.unitOfWork.repository(DeliveryEntity), old),
      );
      return deleted ? BATCH_PAUSE_MS : PURGE_MS;
    } catch (error) {
      this.logger.warn('Old deliveries could not be purged', { cause: causeOf(error) });
      return PURGE_MS;
    }
  }
}
