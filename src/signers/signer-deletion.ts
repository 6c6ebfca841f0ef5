import { Injectable } from '@nestjs/common';
import { ChangeOperation } from '../approvals/change-operation';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { SignersService } from './signers.service';

/** Deletes signers, which may require approval by others. */
@Injectable()
export class SignerDeletion extends ChangeOperation<{ signer_id: string }, undefined> {
  readonly name = 'delete_signer';
  readonly scopes = ['signers:write'] as const;

  constructor(private readonly signers: SignersService) {
    super();
  }

  /** @throws DomainError `signer_not_found`, `signer_in_use`, `forbidden` */
  request(id: string): Promise<PendingChangeResponse | undefined> {
    return this.submit({ signer_id: id });
  }

  async apply({ signer_id: id }: { signer_id: string }): Promise<undefined> {
    await this.signers.delete(id);
  }
}
