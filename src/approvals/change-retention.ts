import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { In, LessThan } from 'typeorm';
import { Purge } from '../background/purge';
import { orOn } from '../common/errors/or-on';
import type { AppConfig } from '../config/app-config';
import { RowAlteredError } from '../database/integrity/row-altered.error';
import { UnitOfWork } from '../database/unit-of-work';
import { ChangeRows } from './change-rows';
import { ChangeEntity, statusOf } from './change.entity';

const PURGE_MS = 600_000;
const BATCH = 100;
/** How long finished changes are shown. @limit Stored objects */
const KEPT_MS = 90 * 86_400_000;

/** Ends expired changes, which deletes their secrets, and deletes changes that were finished long ago. */
@Injectable()
export class ChangeRetention extends Purge {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly rows: ChangeRows,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'changes', PURGE_MS);
  }

  async purgeSome(): Promise<boolean> {
    return (await this.endExpired()) || (await this.deleteOld());
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
    // An altered row must not prevent the deletion of other rows' secrets.
    return orOn(RowAlteredError, false, () => this.unitOfWork.run(() => this.endLocked(id)));
  }

  private async endLocked(id: string): Promise<boolean> {
    const change = await this.rows.findToChange(id);
    if (change?.status !== 'pending' || statusOf(change) !== 'expired') return false;
    await this.rows.finish(change, 'expired', null);
    return true;
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
