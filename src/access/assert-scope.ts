import { DomainError } from '../common/errors/domain-error';
import { currentPrincipal, hasScope } from './principal';
import type { Scope } from './scopes';

/**
 * For rights that depend on the body of a request. Background work has no principal and needs no scope.
 *
 * @throws DomainError `forbidden`, naming the scope
 */
export function assertScope(scope: Scope): void {
  const principal = currentPrincipal();
  if (principal && !hasScope(principal, scope)) throw missingScope([scope]);
}

/** @param scopes of which one would be enough */
export const missingScope = (scopes: readonly [Scope, ...Scope[]]): DomainError =>
  new DomainError('forbidden', 'Forbidden', `this API key lacks the scope ${scopes.join(' or ')}`);
