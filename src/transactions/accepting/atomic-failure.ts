import { DomainError } from '../../common/errors/domain-error';
import { toDomainError } from '../../common/errors/to-domain-error';

/** Why the items of an atomic batch that have no fault of their own are not accepted; undefined where no item has one. */
export function atomicFailure(results: readonly object[]): { error: DomainError } | undefined {
  const index = results.findIndex((result) => 'error' in result);
  const failed = results[index];
  if (!failed || !('error' in failed)) return undefined;
  const { code, message, detail } = toDomainError(failed.error);
  return { error: new DomainError(code, message, `transactions[${index}]: ${detail}`) };
}
