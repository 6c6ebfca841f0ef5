/**
 * Yields all records in the order of their ids, with one batch in memory at a time. Throws the reason of the signal
 * once it is aborted.
 */
export async function* recordsOf<R extends { id: string }>(
  read: (after: string) => Promise<R[]>,
  signal: AbortSignal,
): AsyncGenerator<R> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const batch: R[] = await read(after);
    for (const record of batch) {
      signal.throwIfAborted();
      yield record;
    }
    after = batch.at(-1)?.id;
  }
  signal.throwIfAborted();
}
