import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, LessThan } from 'typeorm';
import { Loop } from '../background/loop';
import { causeOf } from '../common/errors/error-cause';
import type { AppConfig } from '../config/app-config';
import { UnitOfWork } from '../database/unit-of-work';
import { ChangeRows } from './change-rows';
import { ChangeEntity, statusOf } from './change.entity';

/** Between two batches, for those who wait for the database. */
const BATCH_PAUSE_MS = 50;
const PURGE_MS = 600_000;
const BATCH = 100;
/** How long finished changes are shown. @limit Stored objects */
const KEPT_MS = 90 * 86_400_000;

/** Ends changes that have expired, whose secrets go, and deletes those that were finished long ago. */
@Injectable()
export class ChangeRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ChangeRetention.name);
  private readonly isActive: boolean;
  private readonly loop = new Loop(() => this.purgeSome());

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: ChangeRows,
    config: ConfigService<AppConfig, true>,
  ) {
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
    try {
      const isMore = (await this.endExpired()) || (await this.deleteOld());
      return isMore ? BATCH_PAUSE_MS : PURGE_MS;
    } catch (error) {
      this.logger.warn('Old changes could not be purged', { cause: causeOf(error) });
      return PURGE_MS;
    }
  }

  /** @returns whether there were any */
  async endExpired(): Promise<boolean> {
    const where = { status: 'pending', expiresAt: LessThan(new Date()) } as const;
    const found = await this.repository.find({ select: { id: true }, where, take: BATCH });
    let ended = false;
    for (const { id } of found) ended = (await this.end(id)) || ended;
    return ended;
  }

  private end(id: string): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const change = await this.rows.findToChange(id);
      if (change?.status !== 'pending' || statusOf(change) !== 'expired') return false;
      await this.rows.finish(change, 'expired', null);
      return true;
    });
  }

  /** @returns whether there were any */
  private async deleteOld(): Promise<boolean> {
    const where = { finishedAt: LessThan(new Date(Date.now() - KEPT_MS)) };
    const found = await this.repository.find({ select: { id: true }, where, take: BATCH });
    if (found.length === 0) return false;
    await this.unitOfWork.run(() => this.repository.delete({ id: In(found.map(({ id }) => id)) }));
    return true;
  }

  private get repository() {
    return this.unitOfWork.repository(ChangeEntity);
  }
}
