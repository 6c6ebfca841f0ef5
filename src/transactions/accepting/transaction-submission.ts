import { Injectable } from '@nestjs/common';
import { ChangeOperation } from '../../approvals/change-operation';
import type { IdempotentRequest } from '../../approvals/change-rows';
import type { PendingChangeResponse } from '../../approvals/dto/pending-change.response';
import { type Accepted, TransactionsService } from '../transactions.service';
import { digestOf } from './idempotency-key';

interface Submitted {
  relayer_id: string;
  transaction: object;
  idempotency_key: string | null;
}

/** Sends transactions, which may require approval. If so, the transaction gets the id of the change. */
@Injectable()
export class TransactionSubmission extends ChangeOperation<Submitted, Accepted> {
  readonly name = 'send_transaction';
  readonly scopes = ['transactions:write'] as const;

  constructor(private readonly transactions: TransactionsService) {
    super();
  }

  /** @throws DomainError as `TransactionsService.submit` */
  request(
    relayerId: string,
    body: object,
    idempotencyKey: string | undefined,
  ): Promise<Accepted | PendingChangeResponse> {
    return this.submit({
      relayer_id: relayerId,
      transaction: body,
      idempotency_key: idempotencyKey ?? null,
    });
  }

  apply({ relayer_id: relayerId, transaction, idempotency_key: key }: Submitted): Promise<Accepted> {
    return this.transactions.submit(relayerId, transaction, key ?? undefined);
  }

  /** The change has the content, so the digest identifies it. */
  protected override auditedOf({ relayer_id, transaction }: Submitted): object {
    const { value = null } = transaction as { value?: unknown };
    return { relayer_id, value, request_digest: digestOf(transaction) };
  }

  protected override idempotencyOf({
    transaction,
    idempotency_key: key,
  }: Submitted): IdempotentRequest | undefined {
    return key === null ? undefined : { key, digest: digestOf(transaction) };
  }
}
