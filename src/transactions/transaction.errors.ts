import { DomainError, invalidRequest, unavailable } from '../common/errors/domain-error';
import { RetryLaterError } from '../common/errors/retry-later.error';
import type { TransactionStatus } from './transaction-status';

/** Roughly a few blocks: some transactions may be final then. */
const PENDING_RETRY_SECONDS = 10;

export const transactionNotFound = (id: string): DomainError =>
  new DomainError('transaction_not_found', `Transaction with ID ${id} not found`);

export const nonceNotFound = (nonce: string): DomainError =>
  new DomainError('transaction_not_found', `Transaction with nonce ${nonce} not found`);

/** The key was used for a request with a different body. */
export const idempotencyConflict = (): DomainError =>
  keyUsed('for a request with another body: send a new key for a new transaction');

/** The key was used by a relayer with the same id that was deleted. */
export const keyOfOtherAccount = (): DomainError =>
  keyUsed(
    'by an earlier relayer with this id, which had another account: send a new key for a new transaction',
  );

const keyUsed = (how: string): DomainError =>
  new DomainError('idempotency_conflict', 'Idempotency-Key already used', `Idempotency-Key was used ${how}`);

/** What a request was based on is outdated, because another one concerned the account meanwhile. */
export class AccountChangedError extends DomainError {
  constructor() {
    super('unavailable', 'Service Unavailable', 'the account was used meanwhile: try again');
  }
}

export const tooManyPending = (limit: number): DomainError =>
  new RetryLaterError(
    'too_many_transactions',
    'Too Many Requests',
    `the relayer has ${limit} transactions that are not final: retry when some of them are`,
    PENDING_RETRY_SECONDS,
  );

export const invalidState = (operation: 'replace' | 'cancel', status: TransactionStatus): DomainError =>
  invalidRequest(
    `Invalid transaction state for ${operation}_transaction. Current: ${titled(status)}, ` +
      'Expected one of: [Pending, Sent, Submitted]',
  );

export const beingCanceled = (): DomainError =>
  invalidRequest('the transaction is being canceled or has expired, and cannot be replaced');

export const tooManyAttempts = (limit: number): DomainError =>
  invalidRequest(
    `the transaction has ${limit} attempts, and cannot be replaced any more: cancel it, or wait until it is mined`,
  );

/** Limits on spending were set after the request was checked. */
export const limitsChanged = (): DomainError =>
  unavailable('policies.transactions.spend_limits was changed while the request was checked: send it again');

const titled = (status: string): string => `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
