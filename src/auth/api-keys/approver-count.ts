import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull } from 'typeorm';
import { ALL_SCOPES } from '../../access/scopes';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { ApiKeyEntity } from './api-key.entity';

/** What approves the requests of the root key, which cannot approve them itself. */
@Injectable()
export class ApproverCount {
  /** The highest number of approvals that a change, or a transaction if that was set, needs. */
  readonly needed: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    const { transaction = 1, ...others } = config.get('approvals', { infer: true }).needed;
    // Without the setting too, transactions need one, but only above an amount that most relayers do not have.
    this.needed = Math.max(0, ...Object.values(others), transaction > 1 ? transaction : 0);
  }

  /** The number of API keys that may approve now. */
  async count(): Promise<number> {
    const now = new Date();
    const keys = await this.unitOfWork.repository(ApiKeyEntity).find({
      select: { id: true, scopes: true, expiresAt: true },
      where: { revokedAt: IsNull() },
    });
    return keys.filter(
      ({ scopes, expiresAt }) =>
        (expiresAt === null || expiresAt > now) &&
        (scopes.includes('approve') || scopes.includes(ALL_SCOPES)),
    ).length;
  }
}
