import { DomainError } from '../common/errors/domain-error';
import { currentPrincipal, hasScope } from './principal';
import type { Scope } from './scopes';

/**
 * For rights that depend on the body of a request. Background work has no principal and needs no scope.
 *
 * @param scopes any one of which suffices
 * @throws DomainError `forbidden`, naming the scope
 */
export function assertScope(...scopes: [Scope, ...Scope[]]): void {
  const principal = currentPrincipal();
  if (principal && !scopes.some((scope) => hasScope(principal, scope))) throw missingScope(scopes);
}

/** @param scopes any one of which would suffice */
export const missingScope = (scopes: readonly [Scope, ...Scope[]]): DomainError =>
  new DomainError('forbidden', 'Forbidden', `this API key lacks the scope ${scopes.join(' or ')}`);
