import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ErrorCode } from '../common/errors/error-codes';
import type { ApprovalKind } from '../config/approvals-format';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';

/** {@link ChangeEntity.secrets} */
export const CHANGE_SECRETS: SealedColumn = { table: 'change_requests', column: 'secrets' };

export const CHANGE_STATUSES = ['pending', 'applied', 'rejected', 'expired', 'failed'] as const;

export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** The approval of one principal. */
export interface Approval {
  /** Of the principal. */
  key_id: string;
  /** RFC 3339. */
  at: string;
}

/** A requested change that needs approval. */
@Entity('change_requests')
@Index('ix_change_requests_created_at', ['createdAt', 'id'])
@Index('ix_change_requests_status', ['status', 'createdAt', 'id'])
@Index('ix_change_requests_finished_at', ['finishedAt'])
@Index('uq_change_requests_idempotency_key', ['relayerId', 'idempotencyKey'], { unique: true })
export class ChangeEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** The kinds of approval that it needs; the one that needs the most approvals comes first. */
  @Column('json')
  kinds!: ApprovalKind[];

  /** The name of the {@link ChangeOperation} that applies it. */
  @Column('varchar', { length: 64 })
  operation!: string;

  /** The request, as approvers see it: without secrets. */
  @Column('json')
  request!: object;

  /** JSON of further input of the operation, encrypted; null if there is none, and once the change is finished. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  /** A fingerprint of the state that it was requested for: SHA-256 in hex. */
  @Column('varchar', { length: 64 })
  base!: string;

  /** The relayer that it is about. */
  @Column('varchar', { name: 'relayer_id', length: 36, nullable: true })
  relayerId!: string | null;

  /** The group of that relayer at the time of the request. */
  @Column('varchar', { name: 'relayer_group', length: 36, nullable: true })
  relayerGroup!: string | null;

  /** The id of a principal. */
  @Column('varchar', { name: 'requested_by', length: 64 })
  requestedBy!: string;

  /** Approvals that it needs. */
  @Column('int')
  needed!: number;

  /** In this row and not in a separate table, so that the MAC covers them. */
  @Column('json')
  approvals!: Approval[];

  /** Still `pending` if it has expired but was not ended yet; see {@link statusOf}. */
  @Column('varchar', { length: 16 })
  status!: ChangeStatus;

  @Column('varchar', { name: 'idempotency_key', length: 255, nullable: true })
  idempotencyKey!: string | null;

  /** SHA-256 of the request in canonical JSON; compared when an idempotency key is used again. */
  @Column('varchar', { name: 'request_digest', length: 64, nullable: true })
  requestDigest!: string | null;

  /** Why it failed. */
  @Column('varchar', { length: 64, nullable: true })
  code!: ErrorCode | null;

  @Column('datetime', { name: 'expires_at', precision: 6 })
  expiresAt!: Date;

  @Column('datetime', { name: 'finished_at', precision: 6, nullable: true })
  finishedAt!: Date | null;

  /** Who rejected it, or gave the last approval. */
  @Column('varchar', { name: 'finished_by', length: 64, nullable: true })
  finishedBy!: string | null;

  /** Proves that the protected columns are as the service wrote them; see `RowMacs`. */
  @Column('varchar', { length: 80, nullable: true })
  mac!: string | null;

  @Column('datetime', { name: 'created_at', precision: 6 })
  createdAt!: Date;
}

/** A row decides what is executed, and whether it was approved. */
export const CHANGE_PROTECTION: ProtectedTable<ChangeEntity> = {
  table: 'change_requests',
  columns: {
    id: 'protected',
    kinds: 'protected',
    operation: 'protected',
    request: 'protected',
    secrets: 'protected',
    base: 'protected',
    relayerId: 'protected',
    relayerGroup: 'protected',
    requestedBy: 'protected',
    needed: 'protected',
    approvals: 'protected',
    status: 'protected',
    idempotencyKey: 'protected',
    requestDigest: 'protected',
    code: 'protected',
    expiresAt: 'protected',
    finishedAt: 'protected',
    finishedBy: 'protected',
    createdAt: 'unprotected',
  },
};

/** The current status of a change: an expired one is not pending, whether or not it was already ended. */
export function statusOf({ status, expiresAt }: ChangeEntity): ChangeStatus {
  return status === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : status;
}
