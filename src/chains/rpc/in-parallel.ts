/**
 * Calls `work` for each item, with at most `limit` calls at a time. After a failure no further call is started.
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
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (const [position, item] of left) {
      try {
        results[position] = await work(item, position);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
      if (hasFailed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return results;
}
