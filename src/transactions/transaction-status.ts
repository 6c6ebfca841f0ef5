/** The states of a transaction; the last four are final. */
export const TRANSACTION_STATUSES = [
  'pending',
  'sent',
  'submitted',
  'mined',
  'confirmed',
  'failed',
  'canceled',
  'expired',
] as const;

/** @public */
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** The states in which no attempt is on the chain yet. The transaction can be replaced and canceled. */
export const UNMINED = ['pending', 'sent', 'submitted'] as const satisfies TransactionStatus[];

/** States that are not final. */
export const OPEN = [...UNMINED, 'mined'] as const satisfies TransactionStatus[];

/** The final status of a transaction whose nonce a no-op uses. */
export type AbandonedStatus = 'failed' | 'canceled' | 'expired';

const FINAL = ['confirmed', 'failed', 'canceled', 'expired'] as const;

/**
 * The legal transitions. A transaction returns to `pending` when it gets another nonce, and to `submitted` when its
 * block has disappeared. It may be found mined without having been acknowledged.
 */
const NEXT: Readonly<Record<TransactionStatus, readonly TransactionStatus[]>> = {
  pending: ['pending', 'sent', ...FINAL.slice(1)],
  sent: ['sent', 'submitted', 'mined', 'pending', ...FINAL],
  submitted: ['submitted', 'mined', 'pending', ...FINAL],
  mined: ['mined', 'submitted', ...FINAL],
  confirmed: [],
  failed: [],
  canceled: [],
  expired: [],
};

export const isLegal = (from: TransactionStatus, to: TransactionStatus): boolean => NEXT[from].includes(to);

export const isFinal = (status: TransactionStatus): boolean => (FINAL as readonly string[]).includes(status);

export const isUnmined = (status: TransactionStatus): boolean =>
  (UNMINED as readonly TransactionStatus[]).includes(status);
