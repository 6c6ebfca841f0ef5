/** No response arrived in time. The command may still take effect. */
class NoResponseError extends Error {}

/**
 * The response of Redis, if it arrives within some milliseconds.
 *
 * @throws NoResponseError when the time is over, or the error with which `response` rejects
 */
export async function withTimeout<T>(milliseconds: number, response: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // If this process itself was busy, the response may have arrived and waits to be read.
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
