import { DomainError, forbidden } from '../common/errors/domain-error';
import { RetryLaterError } from '../common/errors/retry-later.error';
import type { ApprovalKind } from '../config/approvals-format';
import type { ChangeStatus } from './change.entity';

/** Changes are approved and rejected by people. */
const FULL_RETRY_SECONDS = 60;

export const changeNotFound = (id: string): DomainError =>
  new DomainError('change_not_found', `Change with ID ${id} not found`);

const STATES: Readonly<Record<ChangeStatus, string>> = {
  pending: 'is pending',
  applied: 'has already been applied',
  rejected: 'has already been rejected',
  expired: 'has expired',
  failed: 'has failed',
};

/** The change is finished. */
export const changeNotPending = (status: ChangeStatus): DomainError =>
  new DomainError('change_not_pending', 'Change is not pending', `the change ${STATES[status]}`);

export const alreadyApproved = (): DomainError =>
  new DomainError(
    'change_already_approved',
    'Change already approved',
    'this API key has already approved the change: others must approve it too',
  );

/** @param detail why it can no longer be applied */
export const changeConflict = (detail: string): DomainError =>
  new DomainError('change_conflict', 'Change cannot be applied', detail);

export const ownChange = (): DomainError => forbidden('the requester of a change cannot approve it');

export const tooManyChanges = (detail: string): DomainError =>
  new RetryLaterError('too_many_changes', 'Too Many Requests', detail, FULL_RETRY_SECONDS);

export const idempotencyConflict = (): DomainError =>
  new DomainError(
    'idempotency_conflict',
    'Idempotency-Key already used',
    'Idempotency-Key was used for a request with another body, which waits for approval or has done so',
  );

/** The subject of a change. */
export interface ChangeSubject {
  /** See `fingerprintOf`. */
  base: string;
  /** A principal that cannot reach this relayer does not see the change. */
  relayer?: { id: string; group: string | null };
}

/** A change requires approval. `ChangeOperation.submit` stores it; anywhere else it is refused. */
export class ApprovalRequiredError extends DomainError {
  constructor(
    readonly kinds: readonly [ApprovalKind, ...ApprovalKind[]],
    readonly needed: number,
    readonly subject: ChangeSubject,
  ) {
    super(
      'approval_required',
      'Approval required',
      `this needs the approval of ${needed} other API keys (${kinds.join(', ')})`,
    );
    this.name = 'ApprovalRequiredError';
  }
}

/** A change of the service itself, or of a plugin, cannot be stored: it has no requester whose rights could be checked. */
export const notRequested = ({ message, detail }: ApprovalRequiredError): DomainError =>
  new DomainError('approval_required', message, `${detail}, and no client requested it`);
