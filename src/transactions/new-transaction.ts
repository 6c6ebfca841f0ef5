import { randomUUID } from 'node:crypto';
import { TransactionEntity } from './transaction.entity';

type NewTransaction = Pick<TransactionEntity, 'accountId' | 'relayerId' | 'sender' | 'nonce' | 'request'> &
  Partial<TransactionEntity>;

/** A transaction without signed attempts. */
export function newTransaction(given: NewTransaction): TransactionEntity {
  return Object.assign(new TransactionEntity(), {
    id: randomUUID(),
    openRelayerId: given.relayerId,
    isFiller: false,
    idempotencyKey: null,
    requestDigest: null,
    status: 'pending' as const,
    statusReason: null,
    version: 1,
    isCanceled: false,
    abandonedAs: null,
    needsAttempt: true,
    attempt: null,
    hashes: [],
    signedBlock: null,
    broadcastAt: null,
    sentAt: null,
    inclusion: null,
    revertReason: null,
    revertData: null,
    validUntil: null,
    metadata: null,
    minedAt: null,
    confirmedAt: null,
    finishedAt: null,
    eventAt: null,
    traceContext: null,
    mac: null,
    createdAt: new Date(),
    ...given,
  });
}
