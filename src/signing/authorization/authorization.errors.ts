import { DomainError } from '../../common/errors/domain-error';

/** @param rule the policy that forbids it, in words the caller can act on */
export const typedDataNotAllowed = (rule: string): DomainError =>
  new DomainError('typed_data_not_allowed', 'Typed data not allowed by policy', rule);

/** @param rule as above */
export const messageNotAllowed = (rule: string): DomainError =>
  new DomainError('message_not_allowed', 'Message not allowed by policy', rule);

/** @param rule as above */
export const transactionNotAllowed = (rule: string): DomainError =>
  new DomainError('transaction_not_allowed', 'Transaction not allowed by policy', rule);
