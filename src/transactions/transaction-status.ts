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

/** States in which nothing of a transaction is on the chain yet; it can be replaced and canceled. */
export const UNMINED = ['pending', 'sent', 'submitted'] as const satisfies TransactionStatus[];

/** States that pass by themselves. */
export const OPEN = [...UNMINED, 'mined'] as const satisfies TransactionStatus[];

/** What becomes of a transaction whose nonce is given to a no-op. */
export type AbandonedStatus = 'failed' | 'canceled' | 'expired';

const FINAL = ['confirmed', 'failed', 'canceled', 'expired'] as const;

/**
 * The legal transitions. `pending` comes again when another nonce is assigned, `submitted` when a block is gone;
 * a transaction that another instance finds mined may not have been acknowledged before.
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

export const isFinal = (status: TransactionStatus): boolean => NEXT[status].length === 0;

export const isUnmined = (status: TransactionStatus): boolean =>
  (UNMINED as readonly TransactionStatus[]).includes(status);
