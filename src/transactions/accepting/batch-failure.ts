import { DomainError } from '../../common/errors/domain-error';
import { toDomainError } from '../../common/errors/to-domain-error';

interface Failure {
  error: unknown;
}

/**
 * The results of a batch that is refused as a whole: its idempotency key was used for another batch, or it is atomic
 * and an item is invalid. Valid items get that error, also those that were accepted before.
 *
 * @returns undefined if each item has its own result
 */
export function refusedTogether(results: readonly object[], atomic: boolean): Failure[] | undefined {
  const failed = results.find(isConflict) ?? (atomic ? atomicFailure(results) : undefined);
  return failed && results.map((result): Failure => (isFailure(result) ? result : failed));
}

/** The error for the valid items of an atomic batch; undefined if all items are valid. */
function atomicFailure(results: readonly object[]): Failure | undefined {
  const index = results.findIndex(isFailure);
  const failed = results[index];
  if (!failed || !isFailure(failed)) return undefined;
  const { code, message, detail } = toDomainError(failed.error);
  return { error: new DomainError(code, message, `transactions[${index}]: ${detail}`) };
}

const isFailure = (result: object): result is Failure => 'error' in result;

const isConflict = (result: object): result is Failure =>
  isFailure(result) && result.error instanceof DomainError && result.error.code === 'idempotency_conflict';
