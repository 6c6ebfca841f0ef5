import { Injectable } from '@nestjs/common';
import { assertScope } from '../access/assert-scope';
import { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import type { ListPage } from '../common/pagination/list-page';
import { readIdempotencyKey } from './accepting/idempotency-key';
import { TransactionSubmission } from './accepting/transaction-submission';
import type { TransactionListQuery } from './dto/transaction-list.query';
import { toTransactionResponse } from './dto/transaction.response';
import { TransactionChangesService } from './transaction-changes.service';
import { TransactionQueries } from './transaction-queries';
import { type SubmittedTransaction, type Transaction, TransactionsApi } from './transactions.api';

/** What the service itself does for {@link TransactionsApi}. */
@Injectable()
export class TransactionsApiService extends TransactionsApi {
  constructor(
    private readonly submission: TransactionSubmission,
    private readonly queries: TransactionQueries,
    private readonly changes: TransactionChangesService,
  ) {
    super();
  }

  async submit(
    relayerId: string,
    request: object,
    idempotencyKey?: string,
  ): Promise<SubmittedTransaction | PendingChangeResponse> {
    assertScope('transactions:write');
    const result = await this.submission.request(relayerId, request, readIdempotencyKey(idempotencyKey));
    if (result instanceof PendingChangeResponse) return result;
    return { transaction: toTransactionResponse(result.transaction), isReplay: result.isReplay };
  }

  async list(relayerId: string, query: TransactionListQuery): Promise<ListPage<Transaction>> {
    assertScope('transactions:read');
    return (await this.queries.list(relayerId, query)).map(toTransactionResponse);
  }

  async get(relayerId: string, id: string): Promise<Transaction> {
    assertScope('transactions:read');
    return toTransactionResponse(await this.queries.getOrThrow(relayerId, id));
  }

  async replace(relayerId: string, id: string, request: object): Promise<Transaction> {
    assertScope('transactions:write');
    return toTransactionResponse(await this.changes.replace(relayerId, id, request));
  }

  async cancel(relayerId: string, id: string): Promise<Transaction> {
    assertScope('transactions:write');
    return toTransactionResponse(await this.changes.cancel(relayerId, id));
  }
}
