/**
 * The result of a promise, or, if it takes longer than this time in milliseconds, what `late` returns or throws.
 *
 * @throws the error with which the promise rejects in time
 */
export async function within<T, L>(ms: number, promise: Promise<T>, late: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    // If this process was busy, a response may already have arrived and only wait to be read.
    timer = setTimeout(() => setImmediate(resolve), ms);
  });
  try {
    return await Promise.race([promise, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until a promise is settled, but no longer than this time. The promise must not reject. */
export async function settledOrLate(promise: Promise<unknown>, ms: number): Promise<void> {
  await within(ms, promise, () => undefined);
}
