import { invalidRequest } from '../../common/errors/domain-error';
import { TRANSACTION_STATUSES, type TransactionStatus } from '../transaction-status';

/** A status to wait for, and how long. */
export interface Wait {
  status: TransactionStatus;
  /** By default, as long as the request may take. */
  timeoutMs?: number;
}

/**
 * Reads the query parameters `wait`, in any case, and `timeout` (in seconds). Undefined if there is no `wait`.
 *
 * @throws DomainError `invalid_request`
 */
export function readWait(wait: unknown, timeout: unknown): Wait | undefined {
  if (wait === undefined) return undefined;
  const status = TRANSACTION_STATUSES.find((each) => typeof wait === 'string' && each === wait.toLowerCase());
  if (!status) throw invalidRequest(`wait must be one of ${TRANSACTION_STATUSES.join(', ')}`);
  if (timeout === undefined) return { status };
  if (typeof timeout !== 'string' || !/^\d{1,4}$/.test(timeout))
    throw invalidRequest('timeout must be given once, as a number of seconds');
  return { status, timeoutMs: Number(timeout) * 1000 };
}
