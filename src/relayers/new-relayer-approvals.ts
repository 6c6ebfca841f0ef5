import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { ApprovalsService } from '../approvals/approvals.service';
import { ApiKeyEntity } from '../auth/api-keys/api-key.entity';
import type { ApprovalKind } from '../config/approvals-format';
import { UnitOfWork } from '../database/unit-of-work';
import { approvalKindsOfNew } from './relayer-approvals';
import type { RelayerEntity } from './relayer.entity';

type Wanted = Pick<RelayerEntity, 'id' | 'group' | 'paused'>;

/** Determines which approvals the creation of a relayer requires. */
@Injectable()
export class NewRelayerApprovals {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async kindsOf(relayer: Wanted): Promise<ApprovalKind[]> {
    const isNamed = this.approvals.concerns(['api_key_scope']) && (await this.isNamed(relayer.id));
    return approvalKindsOfNew(relayer, isNamed);
  }

  /** Whether a request that creates the relayer would wait for approval. */
  async areNeededFor(relayer: Wanted): Promise<boolean> {
    return this.approvals.concerns(await this.kindsOf(relayer));
  }

  /** Whether a key that is not revoked would reach a relayer with this id because it names it. */
  private async isNamed(id: string): Promise<boolean> {
    const keys = await this.unitOfWork.repository(ApiKeyEntity).find({
      select: { id: true, relayers: true },
      where: { revokedAt: IsNull(), relayers: Not(IsNull()) },
    });
    return keys.some(({ relayers }) => relayers?.includes(id));
  }
}
