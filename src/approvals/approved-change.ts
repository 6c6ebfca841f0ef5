import { asPrincipal, type Principal } from '../access/principal';
import type { Scope } from '../access/scopes';
import { currentRequest } from '../common/http/request-context';

/** A change that is being applied. */
export interface ApprovedChange {
  readonly id: string;
  /** The principal who gave the last approval. */
  readonly approvedBy: string;
  /** The scope that allows the requester to make it. */
  readonly scope: Scope;
  /** Set once the unit of work that executes the request is committed. */
  isApplied: boolean;
}

declare module '../common/http/request-context' {
  interface RequestContext {
    /** See {@link approvedChange}. */
    approvedChange?: ApprovedChange;
  }
}

/**
 * The change that the current call applies. The approval does not cover work outside of the request that the change
 * merely triggers.
 */
export const approvedChange = (): ApprovedChange | undefined => currentRequest()?.approvedChange;

/** Runs the work of a change with the rights of its requester. */
export const applyAs = <T>(requester: Principal, change: ApprovedChange, work: () => T): T =>
  asPrincipal(requester, () => {
    const request = currentRequest();
    if (request) {
      request.approvedChange = change;
      request.appliedChange = change.id;
      // Until now the time at which the rights of the approver were read. Those of the requester must be read again.
      request.principalReadAt = -Infinity;
    }
    return work();
  });
