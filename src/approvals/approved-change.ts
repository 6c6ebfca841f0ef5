import { asPrincipal, type Principal } from '../access/principal';
import { currentRequest } from '../common/http/request-context';

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

declare module '../common/http/request-context' {
  interface RequestContext {
    /** See {@link approvedChange}. */
    approvedChange?: ApprovedChange;
  }
}

/** The change that the current call applies. What it only sets off, outside of its request, was not approved with it. */
export const approvedChange = (): ApprovedChange | undefined => currentRequest()?.approvedChange;

/** Does what a change stands for, as its requester. */
export const applyAs = <T>(requester: Principal, change: ApprovedChange, work: () => T): T =>
  asPrincipal(requester, () => {
    const request = currentRequest();
    if (request) request.approvedChange = change;
    return work();
  });
