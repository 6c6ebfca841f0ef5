import { createHash } from 'node:crypto';
import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { LessThan } from 'typeorm';
import { Loop } from '../../background/loop';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig } from '../../config/app-config';
import { isUniqueViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import { SignatureNonceEntity } from './signature-nonce.entity';

/** How long a nonce is kept: longer than its signature is valid, by more than clocks of instances may differ. @limit Access */
const KEPT_MS = 600_000;
const PURGE_MS = 60_000;
/** Between two batches, for those who wait for the database. */
const BATCH_PAUSE_MS = 50;
const BATCH = 1000;

/** The nonces of signed requests, on all instances: a unique index decides who was first. */
@Injectable()
export class UsedNonces implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UsedNonces.name);
  private readonly isActive: boolean;
  private readonly loop = new Loop(() => this.purgeSome());

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    this.isActive = config.get('background', { infer: true });
  }

  /** @returns whether this call was the first to use the nonce */
  async use(keyId: string, nonce: string): Promise<boolean> {
    const id = createHash('sha256').update(`${keyId}\n${nonce}`).digest('hex');
    const expiresAt = new Date(Date.now() + KEPT_MS);
    try {
      await this.unitOfWork.runStatement(() =>
        this.unitOfWork.repository(SignatureNonceEntity).insert({ id, expiresAt }),
      );
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  onApplicationBootstrap(): void {
    if (this.isActive) this.loop.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns how long to pause, in milliseconds */
  async purgeSome(): Promise<number> {
    const nonces = this.unitOfWork.repository(SignatureNonceEntity);
    try {
      const where = { expiresAt: LessThan(new Date()) };
      const old = await nonces.find({ where, select: { id: true }, take: BATCH });
      if (old.length === 0) return PURGE_MS;
      await this.unitOfWork.runStatement(() => nonces.delete(old.map(({ id }) => id)));
      return old.length < BATCH ? PURGE_MS : BATCH_PAUSE_MS;
    } catch (error) {
      this.logger.warn('Old nonces could not be purged', { cause: causeOf(error) });
      return PURGE_MS;
    }
  }
}
