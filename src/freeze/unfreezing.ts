import { Injectable } from '@nestjs/common';
import { ApprovalsService } from '../approvals/approvals.service';
import { type ChangeOperation, ChangeOperations } from '../approvals/change-operations';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { SigningFreezeService } from './signing-freeze.service';

interface UnfreezeRequest {
  /** For the log. */
  reason?: string | undefined;
}

/** Ends the freeze, which may have to wait for the approval of others. */
@Injectable()
export class Unfreezing implements ChangeOperation<UnfreezeRequest> {
  readonly name = 'unfreeze_signing';
  readonly scopes = ['freeze'] as const;

  constructor(
    private readonly signing: SigningFreezeService,
    private readonly approvals: ApprovalsService,
    operations: ChangeOperations,
  ) {
    operations.register(this);
  }

  /** @returns whether signing was frozen */
  request(reason: string | undefined): Promise<boolean | PendingChangeResponse> {
    const request = { reason };
    return this.approvals.submit(
      this,
      () => ({ request }),
      () => this.apply(request),
    );
  }

  apply({ reason }: UnfreezeRequest): Promise<boolean> {
    return this.signing.unfreeze(reason);
  }
}
