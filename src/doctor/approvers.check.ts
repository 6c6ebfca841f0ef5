import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { IsNull } from 'typeorm';
import { ALL_SCOPES } from '../access/scopes';
import { ApiKeyEntity } from '../auth/api-keys/api-key.entity';
import type { AppConfig } from '../config/app-config';
import { UnitOfWork } from '../database/unit-of-work';
import { type Finding, ok, warning } from './finding';

const CHECK = 'approvals';

/** Whether enough API keys exist to approve what the root key requests, which cannot approve it itself. */
@Injectable()
export class ApproversCheck {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly config: ConfigService<AppConfig, true>,
  ) {}

  async run(): Promise<Finding[]> {
    const { transaction = 1, ...others } = this.config.get('approvals', { infer: true }).needed;
    // Without the setting too, transactions need one, but only above an amount that most relayers do not have.
    const needed = Math.max(0, ...Object.values(others), transaction > 1 ? transaction : 0);
    if (needed === 0) return [];
    const now = new Date();
    const keys = await this.unitOfWork.repository(ApiKeyEntity).find({
      select: { id: true, scopes: true, expiresAt: true },
      where: { revokedAt: IsNull() },
    });
    const approvers = keys.filter(
      ({ scopes, expiresAt }) =>
        (expiresAt === null || expiresAt > now) &&
        (scopes.includes('approve') || scopes.includes(ALL_SCOPES)),
    );
    const detail = `${approvers.length} API keys may approve, and APPROVALS needs up to ${needed} of them`;
    if (approvers.length >= needed) return [ok(CHECK, detail)];
    return [
      warning(
        CHECK,
        detail,
        'Create them in a shell, which needs no approval: npm run api-key -- create --name <name> --scopes approve',
      ),
    ];
  }
}
