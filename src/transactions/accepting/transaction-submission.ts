import { Injectable } from '@nestjs/common';
import { ApprovalsService } from '../../approvals/approvals.service';
import { type ChangeOperation, ChangeOperations } from '../../approvals/change-operations';
import type { PendingChangeResponse } from '../../approvals/dto/pending-change.response';
import { type Accepted, TransactionsService } from '../transactions.service';
import { digestOf } from './idempotency-key';

interface Submitted {
  relayer_id: string;
  transaction: object;
  idempotency_key: string | null;
}

/** Sends transactions, which may have to wait for the approval of others; then the transaction has the id of the change. */
@Injectable()
export class TransactionSubmission implements ChangeOperation<Submitted> {
  readonly name = 'send_transaction';
  readonly scopes = ['transactions:write'] as const;

  constructor(
    private readonly transactions: TransactionsService,
    private readonly approvals: ApprovalsService,
    operations: ChangeOperations,
  ) {
    operations.register(this);
  }

  /** @throws DomainError as `TransactionsService.submit` */
  request(
    relayerId: string,
    body: object,
    idempotencyKey: string | undefined,
  ): Promise<Accepted | PendingChangeResponse> {
    const submitted = () => ({
      request: { relayer_id: relayerId, transaction: body, idempotency_key: idempotencyKey ?? null },
      idempotency: idempotencyKey === undefined ? undefined : { key: idempotencyKey, digest: digestOf(body) },
    });
    return this.approvals.submit(this, submitted, () =>
      this.transactions.submit(relayerId, body, idempotencyKey),
    );
  }

  apply({ relayer_id: relayerId, transaction, idempotency_key: key }: Submitted): Promise<Accepted> {
    return this.transactions.submit(relayerId, transaction, key ?? undefined);
  }
}
