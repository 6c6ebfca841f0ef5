import type { AuditAction } from '../audit/audit-action';
import type { AuditEntry } from '../audit/audit-entry';
import { changesOf } from '../audit/changed-fields';
import type { ActingRelayer } from '../relayers/relayer.entity';
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
