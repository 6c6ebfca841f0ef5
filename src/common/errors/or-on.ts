/** The result of a call, or `fallback` if it fails with an error of the class. */
export async function orOn<T, F>(
  failure: abstract new (...args: never[]) => Error,
  fallback: F,
  call: () => Promise<T>,
): Promise<T | F> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof failure) return fallback;
    throw error;
  }
}
