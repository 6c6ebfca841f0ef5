import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull } from 'typeorm';
import { ALL_SCOPES } from '../../access/scopes';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { ApiKeyEntity } from './api-key.entity';

/** How many API keys may approve now. */
export interface CountedApprovers {
  unlimited: number;
  /** Keys that reach only some relayers: they cannot approve what concerns all, signers or API keys. */
  limited: number;
}

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

  async count(): Promise<CountedApprovers> {
    const now = new Date();
    const keys = await this.unitOfWork.repository(ApiKeyEntity).find({
      select: { id: true, scopes: true, relayers: true, groups: true, expiresAt: true },
      where: { revokedAt: IsNull() },
    });
    const approvers = keys.filter(
      ({ scopes, expiresAt }) =>
        (expiresAt === null || expiresAt > now) &&
        (scopes.includes('approve') || scopes.includes(ALL_SCOPES)),
    );
    const unlimited = approvers.filter(({ relayers, groups }) => !relayers && !groups).length;
    return { unlimited, limited: approvers.length - unlimited };
  }
}
