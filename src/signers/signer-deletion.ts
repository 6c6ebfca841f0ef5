import { Injectable } from '@nestjs/common';
import { ApprovalsService } from '../approvals/approvals.service';
import { type ChangeOperation, ChangeOperations } from '../approvals/change-operations';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { SignersService } from './signers.service';

/** Deletes signers, which may have to wait for the approval of others. */
@Injectable()
export class SignerDeletion implements ChangeOperation<{ signer_id: string }> {
  readonly name = 'delete_signer';
  readonly scopes = ['signers:write'] as const;

  constructor(
    private readonly signers: SignersService,
    private readonly approvals: ApprovalsService,
    operations: ChangeOperations,
  ) {
    operations.register(this);
  }

  /** @throws DomainError `signer_not_found`, `signer_in_use` */
  request(id: string): Promise<PendingChangeResponse | undefined> {
    return this.approvals.submit(
      this,
      () => ({ request: { signer_id: id } }),
      async () => {
        await this.signers.delete(id);
        return undefined;
      },
    );
  }

  apply({ signer_id: id }: { signer_id: string }): Promise<void> {
    return this.signers.delete(id);
  }
}
