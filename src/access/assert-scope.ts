import { DomainError } from '../common/errors/domain-error';
import { currentPrincipal, hasScope } from './principal';
import type { Scope } from './scopes';

/**
 * Checks a right that depends on the body of a request. Background work has no principal and needs no scope.
 *
 * @param scopes any one of them is sufficient
 * @throws DomainError `forbidden`, naming the scope
 */
export function assertScope(...scopes: [Scope, ...Scope[]]): void {
  const principal = currentPrincipal();
  if (principal && !scopes.some((scope) => hasScope(principal, scope))) throw missingScope(scopes);
}

/** @param scopes any one of them would be sufficient */
export const missingScope = (scopes: readonly [Scope, ...Scope[]]): DomainError =>
  new DomainError('forbidden', 'Forbidden', `this API key lacks the scope ${scopes.join(' or ')}`);
