import { ContextVariable } from '../common/context/context-variable';

/** A change that is being applied. */
export interface ApprovedChange {
  readonly id: string;
  /** How many approvals it has that count. */
  readonly approvals: number;
  /** The principal whose approval was the last. */
  readonly approvedBy: string;
  /** Set in the unit of work that does what was requested. */
  isApplied: boolean;
}

/** The change that the current call applies. */
export const approvedChange = new ContextVariable<ApprovedChange>();
