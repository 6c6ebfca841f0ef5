import { currentPrincipal } from '../access/principal';
import { currentRequest } from '../common/http/request-context';
import type { AuditCaller } from './audit-entry';

declare module '../common/http/request-context' {
  interface RequestContext {
    /** The id of an approved change, while it is applied on behalf of the principal that requested it. */
    appliedChange?: string;
  }
}

/**
 * The caller of the current request; outside of a request, the service itself. While an approved change is applied, it
 * is the principal that requested the change, without an address: that of the current client belongs to an approver.
 */
export function currentCaller(): AuditCaller {
  const caller = currentClient(currentPrincipal()?.id ?? null);
  const approvedChange = currentRequest()?.appliedChange;
  return approvedChange === undefined ? caller : { ...caller, clientIp: null, approvedChange };
}

/** The client of the current request, even while an approved change is applied. @param keyId its principal */
export function currentClient(keyId: string | null): AuditCaller {
  const request = currentRequest();
  return { keyId, requestId: request?.id ?? null, clientIp: request?.clientAddress ?? null };
}
