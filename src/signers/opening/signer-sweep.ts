import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In } from 'typeorm';
import { Loop } from '../../background/loop';
import { causeOf } from '../../common/errors/error-cause';
import type { AppConfig, SignerSettings } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import type { OpenSigner } from './open-signer';
import { SignerEntity } from '../signer.entity';
import { SignerPool } from './signer-pool';

/** The number of ids per statement. */
const CHUNK = 500;

/**
 * Closes signers that have been idle for long, and those whose row was deleted or recreated, possibly by another
 * instance.
 */
@Injectable()
export class SignerSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SignerSweep.name);
  private readonly settings: SignerSettings;
  private readonly isOn: boolean;
  private readonly loop = new Loop(async () => {
    await this.run();
    return this.settings.sweepMs;
  });

  constructor(
    private readonly pool: SignerPool,
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    this.settings = config.get('signers', { infer: true });
    this.isOn = config.get('background', { infer: true });
  }

  onApplicationBootstrap(): void {
    if (this.isOn) this.loop.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /**
   * Checks all open signers once. If the database is unavailable they stay open, because nothing can be signed anyway.
   */
  async run(): Promise<void> {
    this.closeIdle();
    const { open } = this.pool;
    try {
      for (let start = 0; start < open.length; start += CHUNK)
        await this.closeDeleted(open.slice(start, start + CHUNK));
    } catch (error) {
      this.logger.warn('Stored signers could not be read: deleted ones may still be open', {
        cause: causeOf(error),
      });
    }
  }

  private closeIdle(): void {
    const { idleCloseMs } = this.settings;
    if (idleCloseMs === 0) return;
    for (const [id, signer] of this.pool.open)
      if (signer.idleMs >= idleCloseMs) this.pool.forgetOnly(id, signer);
  }

  private async closeDeleted(signers: [signerId: string, signer: OpenSigner][]): Promise<void> {
    const rows = await this.unitOfWork.repository(SignerEntity).find({
      select: { id: true, createdAt: true },
      where: { id: In(signers.map(([id]) => id)) },
    });
    const createdAt = new Map(rows.map((row) => [row.id, row.createdAt.getTime()]));
    for (const [id, signer] of signers)
      if (createdAt.get(id) !== signer.createdAt.getTime()) this.pool.forgetOnly(id, signer);
  }
}
