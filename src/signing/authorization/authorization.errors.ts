import { DomainError } from '../../common/errors/domain-error';

/** @param rule the policy that forbids it, in terms that the caller can act on */
export const typedDataNotAllowed = (rule: string): DomainError =>
  new DomainError('typed_data_not_allowed', 'Typed data not allowed by policy', rule);

/** @param rule as in {@link typedDataNotAllowed} */
export const messageNotAllowed = (rule: string): DomainError =>
  new DomainError('message_not_allowed', 'Message not allowed by policy', rule);

/** @param rule as in {@link typedDataNotAllowed} */
export const transactionNotAllowed = (rule: string): DomainError =>
  new DomainError('transaction_not_allowed', 'Transaction not allowed by policy', rule);
