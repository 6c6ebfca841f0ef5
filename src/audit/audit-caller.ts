import { currentPrincipal } from '../access/principal';
import { currentRequest } from '../common/http/request-context';
import type { AuditCaller } from './audit-entry';

const SERVICE: AuditCaller = { keyId: null, requestId: null, clientIp: null };

/** The caller of the current request; outside of a request, the service itself. */
export function currentCaller(): AuditCaller {
  const request = currentRequest();
  if (!request) return SERVICE;
  return {
    keyId: currentPrincipal()?.id ?? null,
    requestId: request.id,
    clientIp: request.clientAddress ?? null,
  };
}
