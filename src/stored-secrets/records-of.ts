import type { RotatingRecords } from './rotating-records';

/**
 * Yields all records in the order of their ids, with one batch in memory at a time. Throws the reason of the signal
 * once it is aborted.
 */
export async function* recordsOf<R extends { id: string }>(
  read: (after: string) => Promise<R[]>,
  signal: AbortSignal,
  start = '',
): AsyncGenerator<R> {
  for (let after: string | undefined = start; after !== undefined;) {
    const batch: R[] = await read(after);
    for (const record of batch) {
      signal.throwIfAborted();
      yield record;
    }
    after = batch.at(-1)?.id;
  }
  signal.throwIfAborted();
}

/** Yields all records that are not of the first storage key, like {@link recordsOf}. No statement reads a large table at once. */
export async function* outdatedOf(
  records: RotatingRecords,
  batchSize: number,
  signal: AbortSignal,
): AsyncGenerator<{ id: string }> {
  for await (const range of records.ranges())
    yield* recordsOf((after) => records.outdatedIn({ ...range, after }, batchSize), signal, range.after);
}
