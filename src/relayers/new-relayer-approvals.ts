import { Injectable } from '@nestjs/common';
import { ApprovalsService } from '../approvals/approvals.service';
import type { ApprovalKind } from '../config/approvals-format';
import { NamedRelayers } from './named-relayers';
import { approvalKindsOfNew } from './relayer-approvals';
import type { RelayerEntity } from './relayer.entity';

type Wanted = Pick<RelayerEntity, 'id' | 'group' | 'paused'>;

/** Determines which approvals the creation of a relayer requires. */
@Injectable()
export class NewRelayerApprovals {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly named: NamedRelayers,
  ) {}

  async kindsOf(relayer: Wanted): Promise<ApprovalKind[]> {
    const isNamed = this.approvals.concerns(['api_key_scope']) && (await this.named.has(relayer.id));
    return approvalKindsOfNew(relayer, isNamed);
  }

  /** Whether a request that creates the relayer would wait for approval. */
  async areNeededFor(relayer: Wanted): Promise<boolean> {
    return this.approvals.concerns(await this.kindsOf(relayer));
  }
}
