import { Injectable } from '@nestjs/common';
import { ChangeOperation } from '../approvals/change-operation';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { SigningFreezeService } from './signing-freeze.service';

interface UnfreezeRequest {
  /** The reason, for the log. */
  reason?: string | undefined;
}

/** Ends the freeze, which may require approval by others. */
@Injectable()
export class Unfreezing extends ChangeOperation<UnfreezeRequest, boolean> {
  readonly name = 'unfreeze_signing';
  readonly scopes = ['freeze'] as const;

  constructor(private readonly signing: SigningFreezeService) {
    super();
  }

  /** @returns whether signing was frozen */
  request(reason: string | undefined): Promise<boolean | PendingChangeResponse> {
    return this.submit({ reason });
  }

  apply({ reason }: UnfreezeRequest): Promise<boolean> {
    return this.signing.unfreeze(reason);
  }
}
