import { type DomainError, forbidden } from '../common/errors/domain-error';
import { currentRequest } from '../common/http/request-context';
import { currentPrincipal, hasScope } from './principal';
import type { Scope } from './scopes';

/**
 * Checks a right that depends on the body of a request. Background work has no principal and needs no scope. A request
 * on a public route has no principal either, and has no scope.
 *
 * @param scopes any one of them is sufficient
 * @throws DomainError `forbidden`, naming the scope
 */
export function assertScope(...scopes: [Scope, ...Scope[]]): void {
  const principal = currentPrincipal();
  if (!principal) {
    if (currentRequest()) throw anonymous(scopes);
    return;
  }
  if (!scopes.some((scope) => hasScope(principal, scope))) throw missingScope(scopes);
}

/** @param scopes any one of them would be sufficient */
export const missingScope = (scopes: readonly [Scope, ...Scope[]]): DomainError =>
  forbidden(`this API key lacks the scope ${scopes.join(' or ')}`);

const anonymous = (scopes: readonly string[]): DomainError =>
  forbidden(`a request on a public route does not have the scope ${scopes.join(' or ')}`);
