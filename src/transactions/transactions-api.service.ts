import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import type { ListPage } from '../common/pagination/list-page';
import { checkedPage } from '../common/pagination/page-request';
import { bigintsAsTexts } from '../common/validation/bigint-members';
import { assertOutsideUnits } from '../database/outside-units';
import { readBatch } from './accepting/batch-request';
import { readIdempotencyKey } from './accepting/idempotency-key';
import { TransactionSubmission } from './accepting/transaction-submission';
import type { TransactionListRequest } from './dto/transaction-list.query';
import {
  toAttemptResponse,
  toBatchItemResponse,
  toCanceledTransactionsResponse,
} from './dto/transaction-results.response';
import { toTransactionResponse } from './dto/transaction.response';
import { TransactionChangesService } from './transaction-changes.service';
import { TransactionQueries } from './transaction-queries';
import type { TransactionStatus } from './transaction-status';
import { TransactionWait } from './transaction-wait';
import {
  type CanceledTransactions,
  type SubmittedTransaction,
  type Transaction,
  type TransactionAttempt,
  type TransactionBatch,
  type TransactionBatchItem,
  type TransactionRequest,
  TransactionsApi,
} from './transactions.api';
import { TransactionsService } from './transactions.service';

/** The service's own implementation of {@link TransactionsApi}. */
@Injectable()
export class TransactionsApiService extends TransactionsApi {
  constructor(
    private readonly submission: TransactionSubmission,
    private readonly transactions: TransactionsService,
    private readonly queries: TransactionQueries,
    private readonly waits: TransactionWait,
    private readonly changes: TransactionChangesService,
    private readonly access: OngoingAccess,
  ) {
    super();
  }

  async submit(
    relayerId: string,
    request: TransactionRequest,
    idempotencyKey?: string,
  ): Promise<SubmittedTransaction | PendingChangeResponse> {
    assertOutsideUnits('TransactionsApi.submit');
    await this.access.assert('transactions:write');
    const result = await this.submission.request(
      relayerId,
      bigintsAsTexts(request),
      readIdempotencyKey(idempotencyKey),
    );
    if (result instanceof PendingChangeResponse) return result;
    return { transaction: toTransactionResponse(result.transaction), isReplay: result.isReplay };
  }

  async submitBatch(
    relayerId: string,
    request: TransactionBatch,
    idempotencyKey?: string,
  ): Promise<TransactionBatchItem[]> {
    assertOutsideUnits('TransactionsApi.submitBatch');
    await this.access.assert('transactions:write');
    const { transactions, atomic } = readBatch(request);
    const key = readIdempotencyKey(idempotencyKey);
    const results = await this.transactions.submitAll(
      relayerId,
      transactions.map(bigintsAsTexts),
      key,
      atomic,
    );
    return results.map(toBatchItemResponse);
  }

  async list(relayerId: string, query: TransactionListRequest): Promise<ListPage<Transaction>> {
    await this.access.assert('transactions:read');
    return (await this.queries.list(relayerId, checkedPage(query))).map(toTransactionResponse);
  }

  async get(relayerId: string, id: string): Promise<Transaction> {
    await this.access.assert('transactions:read');
    return toTransactionResponse(await this.queries.getOrThrow(relayerId, id));
  }

  async getByNonce(relayerId: string, nonce: number | string): Promise<Transaction> {
    await this.access.assert('transactions:read');
    return toTransactionResponse(await this.queries.getByNonceOrThrow(relayerId, String(nonce)));
  }

  async listAttempts(relayerId: string, id: string): Promise<TransactionAttempt[]> {
    await this.access.assert('transactions:read');
    return (await this.queries.attemptsOf(relayerId, id)).map(toAttemptResponse);
  }

  async waitFor(
    relayerId: string,
    id: string,
    status: TransactionStatus,
    timeoutMs?: number,
  ): Promise<Transaction> {
    assertOutsideUnits('TransactionsApi.waitFor');
    await this.access.assert('transactions:read');
    return toTransactionResponse(await this.waits.until(relayerId, id, status, timeoutMs));
  }

  async replace(relayerId: string, id: string, request: TransactionRequest): Promise<Transaction> {
    assertOutsideUnits('TransactionsApi.replace');
    await this.access.assert('transactions:write');
    return toTransactionResponse(await this.changes.replace(relayerId, id, bigintsAsTexts(request)));
  }

  async cancel(relayerId: string, id: string): Promise<Transaction> {
    assertOutsideUnits('TransactionsApi.cancel');
    await this.access.assert('transactions:write');
    return toTransactionResponse(await this.changes.cancel(relayerId, id));
  }

  async cancelPending(relayerId: string): Promise<CanceledTransactions> {
    assertOutsideUnits('TransactionsApi.cancelPending');
    await this.access.assert('transactions:write');
    return toCanceledTransactionsResponse(await this.changes.cancelAll(relayerId));
  }
}
