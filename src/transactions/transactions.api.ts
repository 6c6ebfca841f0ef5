import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import type { ListPage } from '../common/pagination/list-page';
import type { WithBigints } from '../common/validation/bigint-members';
import type { TransactionRequestDto } from './dto/transaction-request.dto';
import type { TransactionListRequest } from './dto/transaction-list.query';
import type {
  CanceledTransactionsResponse,
  TransactionAttemptResponse,
  TransactionBatchItemResponse,
} from './dto/transaction-results.response';
import type { TransactionResponse } from './dto/transaction.response';
import type { TransactionStatus } from './transaction-status';

/** The members of `POST …/transactions`; amounts may also be bigints. @public */
export type TransactionRequest = WithBigints<TransactionRequestDto>;

/** The members of `POST …/transactions/batch`. @public */
export interface TransactionBatch {
  transactions: readonly TransactionRequest[];
  /** Whether either all or none are accepted; false by default. */
  atomic?: boolean;
}

/** A transaction, as `GET …/transactions/{transaction_id}` returns it. @public */
export type Transaction = TransactionResponse;

/** One signed form of a transaction; all forms share its nonce. @public */
export type TransactionAttempt = TransactionAttemptResponse;

/** One transaction of a batch, or why it was not accepted. @public */
export type TransactionBatchItem = TransactionBatchItemResponse;

/** The transactions of a request to cancel all, by their ids. @public */
export type CanceledTransactions = CanceledTransactionsResponse;

/** A transaction that was accepted, now or by an earlier request with the same key. @public */
export interface SubmittedTransaction {
  transaction: Transaction;
  /** Whether an earlier request with the same idempotency key was accepted. */
  isReplay: boolean;
}

/**
 * Sending transactions, by the same rules as the routes, which use this port: scopes and reach of the current request,
 * freeze, pause, policies, spending limits, approvals, audit and events. Outside of a request, and in
 * `outsideRequests`, the caller is the service itself; all rules except scopes and reach apply to it as well. It cannot
 * wait for approval, so a transaction above `approval_above` is refused with `transaction_not_allowed`.
 *
 * Methods that do more than read throw an Error in a unit of work, because they wait for others that need the database.
 *
 * @public
 */
export abstract class TransactionsApi {
  /**
   * Accepts a transaction: it is stored with its nonce, and is either mined once or ends with a reason.
   *
   * @param idempotencyKey a repeated request with the same key returns the first record
   * @returns the record, or the change that waits for approval
   * @throws DomainError `relayer_not_found`, `signing_frozen`, `relayer_paused`, `relayer_disabled`, `invalid_request`,
   * `transaction_not_allowed`, `idempotency_conflict`, `too_many_transactions`, `forbidden`
   */
  abstract submit(
    relayerId: string,
    request: TransactionRequest,
    idempotencyKey?: string,
  ): Promise<SubmittedTransaction | PendingChangeResponse>;

  /**
   * Accepts up to 100 transactions and assigns nonces in their order. None of them can wait for approval.
   *
   * @param idempotencyKey a repeated request with the same key returns the first records
   * @returns a result for each, in order
   * @throws DomainError as {@link submit}, for errors that concern all of them
   */
  abstract submitBatch(
    relayerId: string,
    request: TransactionBatch,
    idempotencyKey?: string,
  ): Promise<TransactionBatchItem[]>;

  /** Lists transactions in the order of acceptance. @throws DomainError `relayer_not_found`, `forbidden` */
  abstract list(relayerId: string, query: TransactionListRequest): Promise<ListPage<Transaction>>;

  /** @throws DomainError `relayer_not_found`, `transaction_not_found`, `forbidden` */
  abstract get(relayerId: string, id: string): Promise<Transaction>;

  /** @param nonce an integer, or its decimal digits @throws DomainError as {@link get}, `invalid_request` */
  abstract getByNonce(relayerId: string, nonce: number | string): Promise<Transaction>;

  /** The signed forms of a transaction, oldest first. @throws DomainError as {@link get} */
  abstract listAttempts(relayerId: string, id: string): Promise<TransactionAttempt[]>;

  /**
   * Waits until a transaction has the given status or a final one.
   *
   * @param timeoutMs at most, and by default, a second less than `REQUEST_TIMEOUT_SECONDS`
   * @returns the transaction in its current state, even if the time has elapsed
   * @throws DomainError as {@link get}; `overloaded` if too many callers wait
   */
  abstract waitFor(
    relayerId: string,
    id: string,
    status: TransactionStatus,
    timeoutMs?: number,
  ): Promise<Transaction>;

  /** Replaces the content; the transaction keeps its id and nonce. @throws DomainError as {@link submit} */
  abstract replace(relayerId: string, id: string, request: TransactionRequest): Promise<Transaction>;

  /**
   * Cancels a transaction that has not been mined: a no-op uses its nonce. @throws DomainError as {@link get},
   * `invalid_request`
   */
  abstract cancel(relayerId: string, id: string): Promise<Transaction>;

  /**
   * Cancels all transactions of a relayer that have not been mined. @throws DomainError `relayer_not_found`,
   * `forbidden`
   */
  abstract cancelPending(relayerId: string): Promise<CanceledTransactions>;
}
