import type { ErrorCode } from '../common/errors/error-codes';
import { failureDetail, logFailure } from '../common/errors/failure-log';
import { toDomainError } from '../common/errors/to-domain-error';
import type { EventLoopTurns } from '../common/event-loop/event-loop-turns';

/** Items of a batch of typed data. @limit Lists and batches */
export const MAX_BATCH_ITEMS = 1000;
/** The number of items in progress at the same time; low, because a key service has other callers too. */
const CONCURRENCY = 8;

/** The result of one item. `error` says what the caller can do. */
export type BatchResult<T> = { value: T } | FailedItem;

export interface FailedItem {
  error: string;
  code: ErrorCode;
}

/** The result of an item whose work has failed. Logs the failure. */
export function failedItem(thrown: unknown): FailedItem {
  const error = toDomainError(thrown);
  logFailure(error);
  return { error: failureDetail(error), code: error.code };
}

/**
 * Does the same work for each item; the results are in the same order. A failing item does not affect the others,
 * except that if the signer itself fails, it is not called again and the remaining items fail in the same way.
 *
 * @throws DomainError `unavailable` if it gets no further turn; only when no item is in progress any more
 */
export async function runBatch<I, T>(
  items: readonly I[],
  work: (item: I) => Promise<T>,
  turns: EventLoopTurns,
): Promise<BatchResult<T>[]> {
  const results: BatchResult<T>[] = [];
  const left = items.entries();
  let outage: FailedItem | undefined;

  const attempt = async (item: I): Promise<BatchResult<T>> => {
    try {
      return { value: await work(item) };
    } catch (error) {
      const result = failedItem(error);
      if (result.code === 'signer_unavailable') outage = result;
      return result;
    }
  };
  // The whole batch takes one place in the queue, and holds no prepared item while it waits.
  let shared: Promise<void> | undefined;
  const nextTurn = (): Promise<void> =>
    // If this fails, none of the workers continues.
    (shared ??= turns.next().then(() => {
      shared = undefined;
    }));
  const worker = async (): Promise<void> => {
    for (;;) {
      // All workers wait for the same turn, and the first of them may use it up.
      while (turns.isOver) await nextTurn();
      const { done, value } = left.next();
      if (done) return;
      const [index, item] = value;
      results[index] = outage ?? (await attempt(item));
    }
  };

  const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}
