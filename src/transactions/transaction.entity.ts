import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import { MAX_TRACE_LENGTH } from '../common/tracing/trace-context';
import type { AttemptContent, Inclusion } from '../chains/transaction-chain';
import { integerColumn } from '../database/integer-column';
import { LONG_TEXT_COLUMN } from '../database/long-text-column';
import { RelayerEntity } from '../relayers/relayer.entity';
import type { ProtectedTable } from '../secrets/row-macs';
import { type AbandonedStatus, isFinal, type TransactionStatus } from './transaction-status';

/**
 * The request in the form that its chain type defines; amounts are decimal strings. Spending limits add `is_counted`,
 * `max_fee` (for gas), `data_fee` (for the L1 and operator fees of rollups) and, after a replacement, `reserved`. A
 * replacement adds `replaced_after`, the number of attempts before it.
 */
export type StoredRequest = Record<string, unknown>;

/** A request to send a transaction, or a filler for a nonce that nobody owned. */
@Entity('transactions')
@Index('uq_transactions_account_nonce', ['accountId', 'nonce'], { unique: true })
@Index('uq_transactions_idempotency_key', ['relayerId', 'idempotencyKey'], { unique: true })
@Index('ix_transactions_relayer_id', ['relayerId', 'createdAt', 'id'])
@Index('ix_transactions_status', ['relayerId', 'status', 'createdAt', 'id'])
@Index('ix_transactions_open', ['openRelayerId', 'status', 'nonce'])
@Index('ix_transactions_finished_at', ['finishedAt'])
export class TransactionEntity extends ProtectedEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** The account whose nonce it uses. */
  @Column('varchar', { name: 'account_id', length: 96 })
  accountId!: string;

  @Column('varchar', { name: 'relayer_id', length: 36 })
  relayerId!: string;

  /** The relayer until the transaction is final: a relayer with open transactions cannot be deleted. */
  @Column('varchar', { name: 'open_relayer_id', length: 36, nullable: true })
  openRelayerId!: string | null;

  @ManyToOne(() => RelayerEntity, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT' })
  @JoinColumn({ name: 'open_relayer_id', foreignKeyConstraintName: 'fk_transactions_open_relayer' })
  openRelayer?: RelayerEntity;

  @Column('bigint', { transformer: integerColumn })
  nonce!: number;

  /** A filler has no request: it uses up a nonce, so that later ones can be mined. */
  @Column('boolean', { name: 'is_filler' })
  isFiller!: boolean;

  @Column('json')
  request!: StoredRequest;

  /** The address in EIP-55 or the form of its chain. Copied, because the relayer may be deleted. */
  @Column('varchar', { name: 'sender', length: 64 })
  sender!: string;

  @Column('varchar', { name: 'idempotency_key', length: 255, nullable: true })
  idempotencyKey!: string | null;

  /** SHA-256 of the request in canonical JSON; compared when an idempotency key is used again. */
  @Column('varchar', { name: 'request_digest', length: 64, nullable: true })
  requestDigest!: string | null;

  @Column('varchar', { length: 16 })
  status!: TransactionStatus;

  @Column('varchar', { name: 'status_reason', length: 1024, nullable: true })
  statusReason!: string | null;

  /** Counts the changes. Each change requires the version that it has read. */
  @Column('int')
  version!: number;

  @Column('boolean', { name: 'is_canceled' })
  isCanceled!: boolean;

  /** The status that it gets when its no-op is mined; null if it is still to be executed. */
  @Column('varchar', { name: 'abandoned_as', length: 16, nullable: true })
  abandonedAs!: AbandonedStatus | null;

  /**
   * Whether an attempt is still to be signed: there is none, or the newest is outdated because the transaction was
   * replaced or abandoned, or needs higher fees.
   */
  @Column('boolean', { name: 'needs_attempt' })
  needsAttempt!: boolean;

  /** The newest attempt, or the one that was mined; null until something is signed. */
  @Column('json', { nullable: true })
  attempt!: AttemptContent | null;

  /** The hashes of all attempts, oldest first. */
  @Column('json')
  hashes!: string[];

  /**
   * The newest block when the first attempt was signed, before any of its bytes were sent. Set again after a
   * replacement.
   */
  @Column('bigint', { name: 'signed_block', nullable: true, transformer: integerColumn })
  signedBlock!: number | null;

  /** When the newest attempt was last sent. */
  @Column('datetime', { name: 'broadcast_at', precision: 6, nullable: true })
  broadcastAt!: Date | null;

  /** When a node first acknowledged an attempt. */
  @Column('datetime', { name: 'sent_at', precision: 6, nullable: true })
  sentAt!: Date | null;

  /** The position on the chain. */
  @Column('json', { nullable: true })
  inclusion!: Inclusion | null;

  @Column('varchar', { name: 'revert_reason', length: 1024, nullable: true })
  revertReason!: string | null;

  @Column({ ...LONG_TEXT_COLUMN, name: 'revert_data' })
  revertData!: string | null;

  @Column('datetime', { name: 'valid_until', precision: 6, nullable: true })
  validUntil!: Date | null;

  /** The client's own texts. */
  @Column('json', { nullable: true })
  metadata!: Record<string, string> | null;

  @Column('datetime', { name: 'mined_at', precision: 6, nullable: true })
  minedAt!: Date | null;

  @Column('datetime', { name: 'confirmed_at', precision: 6, nullable: true })
  confirmedAt!: Date | null;

  @Column('datetime', { name: 'finished_at', precision: 6, nullable: true })
  finishedAt!: Date | null;

  /** When the last event was recorded; the next one is always later. */
  @Column('datetime', { name: 'event_at', precision: 6, nullable: true })
  eventAt!: Date | null;

  /** The trace of the request that caused the transaction, as `formatTrace` writes it; null if there was none. */
  @Column('varchar', { name: 'trace_context', length: MAX_TRACE_LENGTH, nullable: true })
  traceContext!: string | null;
}

/**
 * The protected columns determine what is signed, and that nothing is signed any more. Altering the others can delay a
 * transaction, falsify its outcome, or have a private one sent publicly. It can also make the service forget the attempts
 * of an open transaction; if one of them is mined, the request is executed again with another nonce. MACs do not prevent
 * anyone from restoring an earlier copy of a whole row, or from deleting the rows that count the spending.
 */
export const TRANSACTION_PROTECTION: ProtectedTable<TransactionEntity> = {
  table: 'transactions',
  columns: {
    id: 'protected',
    accountId: 'protected',
    relayerId: 'protected',
    nonce: 'protected',
    isFiller: 'protected',
    request: 'protected',
    sender: 'protected',
    openRelayerId: 'unprotected',
    idempotencyKey: 'unprotected',
    requestDigest: 'unprotected',
    status: 'unprotected',
    statusReason: 'unprotected',
    version: 'unprotected',
    isCanceled: 'protected_since_m2',
    abandonedAs: 'protected_since_m2',
    needsAttempt: 'unprotected',
    attempt: 'unprotected',
    hashes: 'unprotected',
    signedBlock: 'unprotected',
    broadcastAt: 'unprotected',
    sentAt: 'unprotected',
    inclusion: 'unprotected',
    revertReason: 'unprotected',
    revertData: 'unprotected',
    validUntil: 'protected_since_m2',
    metadata: 'unprotected',
    minedAt: 'unprotected',
    confirmedAt: 'unprotected',
    finishedAt: 'protected_since_m2',
    eventAt: 'unprotected',
    traceContext: 'unprotected',
    createdAt: 'unprotected',
  },
  isConsistent: ({ status, finishedAt, openRelayerId, relayerId }) =>
    isFinal(status) === (finishedAt !== null) && (openRelayerId === null || openRelayerId === relayerId),
};
