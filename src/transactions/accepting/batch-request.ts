import { invalidRequest } from '../../common/errors/domain-error';
import { isObject, shown } from '../../common/validation/json-object';

/** Transactions of one batch. @limit Transactions */
const MAX_BATCH = 100;

/** Transactions to accept together, not yet checked. */
export interface BatchRequest {
  transactions: unknown[];
  /** Whether either all or none of them are accepted. */
  atomic: boolean;
}

/** Parses the members of a batch. @throws DomainError `invalid_request` */
export function readBatch(body: unknown): BatchRequest {
  const { transactions, atomic = false, ...others } = isObject(body) ? body : {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalidRequest(`${shown(unknown)} is not a known field`);
  if (!Array.isArray(transactions) || transactions.length === 0 || transactions.length > MAX_BATCH)
    throw invalidRequest(`transactions must be an array of 1 to ${MAX_BATCH} items`);
  if (typeof atomic !== 'boolean') throw invalidRequest('atomic must be a boolean');
  return { transactions, atomic };
}
