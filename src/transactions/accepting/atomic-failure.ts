import { DomainError } from '../../common/errors/domain-error';
import { toDomainError } from '../../common/errors/to-domain-error';

/** The error for the valid items of an atomic batch; undefined if all items are valid. */
export function atomicFailure(results: readonly object[]): { error: DomainError } | undefined {
  const index = results.findIndex((result) => 'error' in result);
  const failed = results[index];
  if (!failed || !('error' in failed)) return undefined;
  const { code, message, detail } = toDomainError(failed.error);
  return { error: new DomainError(code, message, `transactions[${index}]: ${detail}`) };
}
