import { Column, Entity, Index, MoreThan, PrimaryColumn } from 'typeorm';
import { ProtectedEntity } from '../database/integrity/protected-entity';
import type { ErrorCode } from '../common/errors/error-codes';
import type { ApprovalKind } from '../config/approvals-format';
import type { ProtectedTable } from '../secrets/row-macs';
import type { SealedColumn } from '../secrets/secret-cipher';

/** The column of {@link ChangeEntity.secrets}. */
export const CHANGE_SECRETS: SealedColumn = { table: 'change_requests', column: 'secrets' };

export const CHANGE_STATUSES = ['pending', 'applied', 'rejected', 'expired', 'failed'] as const;

export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** The approval of one principal. */
export interface Approval {
  /** The id of the principal. */
  key_id: string;
  /** An RFC 3339 time. */
  at: string;
}

/** A requested change that requires approval. */
@Entity('change_requests')
@Index('ix_change_requests_created_at', ['createdAt', 'id'])
@Index('ix_change_requests_status', ['status', 'createdAt', 'id'])
@Index('ix_change_requests_finished_at', ['finishedAt'])
@Index('ix_change_requests_relayer_id', ['relayerId', 'createdAt', 'id'])
@Index('ix_change_requests_relayer_group', ['relayerGroup', 'createdAt', 'id'])
@Index('uq_change_requests_idempotency_key', ['relayerId', 'idempotencyKey'], { unique: true })
export class ChangeEntity extends ProtectedEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** The kinds of approval that it requires; the kind with the most approvals comes first. */
  @Column('json')
  kinds!: ApprovalKind[];

  /** The name of the {@link ChangeOperation} that applies it. */
  @Column('varchar', { length: 64 })
  operation!: string;

  /** The request in the form that approvers see, without secrets. */
  @Column('json')
  request!: object;

  /** The JSON of additional input for the operation, encrypted; null if there is none, or the change is finished. */
  @Column('text', { nullable: true })
  secrets!: string | null;

  /** A fingerprint of the state for which it was requested: SHA-256 in hex. */
  @Column('varchar', { length: 64 })
  base!: string;

  /** The relayer that the change is about. */
  @Column('varchar', { name: 'relayer_id', length: 36, nullable: true })
  relayerId!: string | null;

  /** The group of that relayer at the time of the request. */
  @Column('varchar', { name: 'relayer_group', length: 36, nullable: true })
  relayerGroup!: string | null;

  /** The id of a principal. */
  @Column('varchar', { name: 'requested_by', length: 64 })
  requestedBy!: string;

  /** The number of required approvals. */
  @Column('int')
  needed!: number;

  /** Stored in this row and not in a separate table, so that the MAC covers them. */
  @Column('json')
  approvals!: Approval[];

  /** Still `pending` for a change that has expired but not been finished yet; see {@link statusOf}. */
  @Column('varchar', { length: 16 })
  status!: ChangeStatus;

  @Column('varchar', { name: 'idempotency_key', length: 255, nullable: true })
  idempotencyKey!: string | null;

  /** SHA-256 of the request in canonical JSON; compared when an idempotency key is used again. */
  @Column('varchar', { name: 'request_digest', length: 64, nullable: true })
  requestDigest!: string | null;

  /** The reason of a failure. */
  @Column('varchar', { length: 64, nullable: true })
  code!: ErrorCode | null;

  @Column('datetime', { name: 'expires_at', precision: 6 })
  expiresAt!: Date;

  @Column('datetime', { name: 'finished_at', precision: 6, nullable: true })
  finishedAt!: Date | null;

  /** The principal that rejected it or gave the last approval. */
  @Column('varchar', { name: 'finished_by', length: 64, nullable: true })
  finishedBy!: string | null;
}

/** Protected because a row determines what is executed, and whether it was approved. */
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

/** The current status of a change. One that has expired is not pending, even if it has not been finished yet. */
export function statusOf({ status, expiresAt }: ChangeEntity): ChangeStatus {
  return status === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : status;
}

/** The condition of changes whose {@link statusOf status} is `pending`. */
export const pendingNow = () => ({ status: 'pending', expiresAt: MoreThan(new Date()) }) as const;
