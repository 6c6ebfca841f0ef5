import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { growing } from '../../common/openapi/schemas';
import { JSON_OBJECT } from '../../common/openapi/envelope-schemas';
import { APPROVAL_KINDS, type ApprovalKind } from '../../config/approvals-format';
import { type ChangeEntity, CHANGE_STATUSES, type ChangeStatus, statusOf } from '../change.entity';

export class ApprovalResponse {
  /** Who approved it; `root` for the key of the settings. */
  @ApiProperty({ example: '4f0b1c9e' })
  key_id!: string;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** A requested change that others must approve. */
export class PendingChangeResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty(growing(CHANGE_STATUSES))
  status!: ChangeStatus;

  /** Why it needs approval; of several kinds the one that needs the most approvals. */
  @ApiProperty(growing(APPROVAL_KINDS))
  kind!: ApprovalKind;

  /** All of its kinds. */
  @ApiProperty({ type: 'array', items: growing(APPROVAL_KINDS) })
  kinds!: ApprovalKind[];

  /** The operation. */
  @ApiProperty({ example: 'update_relayer' })
  operation!: string;

  /** The parameters of the operation; secrets are masked. */
  @ApiProperty({ allOf: [JSON_OBJECT], example: { relayer_id: 'treasury' } })
  request!: object;

  @ApiProperty({ type: String, nullable: true, example: 'treasury' })
  relayer_id!: string | null;

  /** The API key that requested it; `root` for the key of the settings. */
  @ApiProperty({ example: 'root' })
  requested_by!: string;

  @ApiProperty({ type: [ApprovalResponse] })
  approvals!: ApprovalResponse[];

  /** How many approvals it needs. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 2 })
  needed!: number;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** When it expires if it is still pending. */
  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  finished_at?: string;

  /** Who rejected it, or gave the last approval. */
  @ApiPropertyOptional({ type: String })
  finished_by?: string;

  /** Why it failed: an error code. */
  @ApiPropertyOptional({ type: String, example: 'change_conflict' })
  code?: string;

  /** Only in the response to a request that creates or rotates an API key. It works once the change is applied. */
  @ApiPropertyOptional({ type: String, pattern: '^rk_[0-9a-z]{12}_[0-9A-Za-z]{49}$' })
  key?: string;
}

export function toPendingChangeResponse(change: Readonly<ChangeEntity>): PendingChangeResponse {
  const { finishedAt, finishedBy, code } = change;
  return Object.assign(new PendingChangeResponse(), {
    id: change.id,
    status: statusOf(change),
    kind: change.kinds[0],
    kinds: change.kinds,
    operation: change.operation,
    request: change.request,
    relayer_id: change.relayerId,
    requested_by: change.requestedBy,
    approvals: change.approvals.map(({ key_id, at }) => ({ key_id, at })),
    needed: change.needed,
    created_at: change.createdAt.toISOString(),
    expires_at: change.expiresAt.toISOString(),
    ...(finishedAt && { finished_at: finishedAt.toISOString() }),
    ...(finishedBy !== null && { finished_by: finishedBy }),
    ...(code !== null && { code }),
  });
}
