import { Injectable, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { IsNull, LessThan } from 'typeorm';
import { Loop } from '../../background/loop';
import { causeOf } from '../../common/errors/error-cause';
import { UnitOfWork } from '../../database/unit-of-work';
import { ApiKeyEntity } from './api-key.entity';

const MINUTE_MS = 60_000;
/**
 * The maximum number of keys whose last use is waiting to be saved. Beyond it, a use is saved only if the key is used
 * again later.
 */
const MAX_WAITING = 10_000;

/**
 * Saves when keys were last used, to the minute: one statement per key and minute, however many requests the key makes.
 */
@Injectable()
export class ApiKeyUse implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ApiKeyUse.name);
  private readonly loop = new Loop(() => this.saveAll());
  /** The minute of the last use, in milliseconds since 1970, by key id. */
  private readonly waiting = new Map<string, number>();

  constructor(private readonly unitOfWork: UnitOfWork) {}

  record(id: string): void {
    if (this.waiting.size < MAX_WAITING || this.waiting.has(id))
      this.waiting.set(id, Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.loop.stop();
    await this.saveAll();
  }

  /** @returns how long to wait before the next call, in milliseconds */
  async saveAll(): Promise<number> {
    const uses = [...this.waiting];
    this.waiting.clear();
    for (const [id, minute] of uses) await this.save(id, new Date(minute));
    return MINUTE_MS;
  }

  /** Never sets an earlier time, because several instances save. */
  private async save(id: string, lastUsedAt: Date): Promise<void> {
    const older = [
      { id, lastUsedAt: IsNull() },
      { id, lastUsedAt: LessThan(lastUsedAt) },
    ];
    try {
      await this.unitOfWork.runStatement(() =>
        this.unitOfWork
          .repository(ApiKeyEntity)
          .createQueryBuilder()
          .update({ lastUsedAt })
          .where(older)
          .execute(),
      );
    } catch (error) {
      this.logger.warn('The last use of an API key could not be saved', { id, cause: causeOf(error) });
    }
  }
}
