import type { TransactionEntity } from '../transaction.entity';

/** Whether `valid_until` has passed, and that has not been stored yet. */
export const hasExpired = ({ validUntil, abandonedAs }: TransactionEntity): boolean =>
  validUntil !== null && abandonedAs === null && validUntil.getTime() <= Date.now();

/** The changes of a transaction that has expired. */
export const EXPIRED = { abandonedAs: 'expired', statusReason: 'Expired: valid_until has passed' } as const;
