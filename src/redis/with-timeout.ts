/** No response arrived in time. The command may still take effect. */
class NoResponseError extends Error {}

/**
 * Returns a response of Redis if it arrives in time.
 *
 * @throws NoResponseError if it does not, or the error with which `response` rejects
 */
export async function withTimeout<T>(milliseconds: number, response: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // If this process was busy, the response may already have arrived and only wait to be read.
      setImmediate(() => {
        reject(new NoResponseError(`No response within ${milliseconds} ms`));
      });
    }, milliseconds);
  });
  try {
    return await Promise.race([response, over]);
  } finally {
    clearTimeout(timer);
  }
}
