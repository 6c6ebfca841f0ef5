import type { DomainError } from '../../common/errors/domain-error';
import { accountId, type RelayerAccount } from '../account-nonce.entity';
import { idempotencyConflict, keyOfOtherAccount } from '../transaction.errors';
import type { TransactionEntity } from '../transaction.entity';
import type { KeyedRequest } from './accepted-request';

/** The record with the key of a request, among those that were found by its stored forms. */
export const knownOf = (
  { idempotencyKey, earlierKey }: KeyedRequest,
  found: ReadonlyMap<string, TransactionEntity>,
): TransactionEntity | undefined => found.get(idempotencyKey ?? '') ?? found.get(earlierKey ?? '');

/** Why a known record is not that of a repeated request; undefined if it is. */
export function conflictOf(
  known: TransactionEntity,
  { digest, earlierDigest }: KeyedRequest,
  account: RelayerAccount,
): DomainError | undefined {
  if (!isOfAccount(known, account)) return keyOfOtherAccount();
  const isSame = known.requestDigest === digest || known.requestDigest === earlierDigest;
  return isSame ? undefined : idempotencyConflict();
}

/** Whether the relayer that accepted a transaction had the same account; another one may have had its id. */
function isOfAccount({ accountId: id, sender }: TransactionEntity, account: RelayerAccount): boolean {
  return account.chainId === null ? sender === account.address : id === accountId(account);
}
