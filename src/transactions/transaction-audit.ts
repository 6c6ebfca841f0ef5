import type { AuditAction } from '../audit/audit-action';
import type { AuditEntry } from '../audit/audit-entry';
import { type Change, changesOf } from '../audit/changed-fields';
import { IDENTIFIER } from '../common/validation/fields';
import type { ActingRelayer } from '../relayers/relayer.entity';
import { failureEntry } from '../signing/signature-records';
import type { Move } from './transaction-rows';
import type { TransactionEntity } from './transaction.entity';

type Owner = Pick<ActingRelayer, 'id' | 'signerId'>;

/** The audit entry for a client's request about a transaction. Its content is in the transaction's record. */
export const transactionEntry = (
  action: AuditAction,
  { id: relayerId, signerId }: Owner,
  { id, nonce }: Pick<TransactionEntity, 'id' | 'nonce'>,
): AuditEntry => ({
  action,
  relayerId,
  signerId,
  changes: action === 'transaction.submit' ? changesOf(id, null, { nonce }) : changesOf(id, {}, {}),
});

/** The audit entry for a replacement that was refused or failed; undefined if it is not recorded. */
export function replacementFailure(relayerId: string, id: string, error: unknown): AuditEntry | undefined {
  const entry = failureEntry('transaction.replace', relayerId, { form: 'transaction' }, error);
  // The path of a request may hold any text.
  return entry && { ...entry, ...(IDENTIFIER.test(id) && { changes: changesOf(id, {}, {}) }) };
}

/**
 * The audit entry for a comparison of ledger and chain that a client requested, or for a ledger that was lowered.
 *
 * @param next the next nonce of the ledger, before and after
 * @param moves the transactions that get other nonces
 */
export const nonceSynced = (
  { id: relayerId, signerId }: Owner,
  next: Change,
  moves: readonly Move[] = [],
): AuditEntry => ({
  action: 'relayer.sync_nonce',
  relayerId,
  signerId,
  changes: {
    next_nonce: next,
    ...(moves.length > 0 && {
      transaction_nonces: {
        before: Object.fromEntries(moves.map(({ row }) => [row.id, row.nonce])),
        after: Object.fromEntries(moves.map(({ row, nonce }) => [row.id, nonce])),
      },
    }),
  },
});

/** The audit entry for a signed attempt. @param hash the hash by which nodes know it */
export const attemptEntry = (
  { id: relayerId, signerId }: Owner,
  { id, nonce }: Pick<TransactionEntity, 'id' | 'nonce'>,
  digest: Uint8Array,
  hash: string,
): AuditEntry => ({
  action: 'transaction.sign',
  relayerId,
  signerId,
  digest,
  form: 'transaction',
  changes: {
    ...changesOf(id, {}, {}),
    nonce: { before: nonce, after: nonce },
    hash: { before: null, after: hash },
  },
});
