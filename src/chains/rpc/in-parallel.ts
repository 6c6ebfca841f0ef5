/**
 * Calls `work` for each item, with at most `limit` calls at a time. After a failure no further call is started, and the
 * calls in progress end first, so that nothing they hold outlives the whole.
 *
 * @returns the results in the order of the items
 * @throws the first error of `work`
 */
export async function inParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, position: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const [position, item] of left) {
      try {
        results[position] = await work(item, position);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
