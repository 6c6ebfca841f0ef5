/** Nothing came in time. What was asked may still happen. */
export class NoResponseError extends Error {}

/**
 * What Redis answers within some milliseconds.
 *
 * @throws NoResponseError when the time is over, or whatever `answer` rejects with
 */
export async function withTimeout<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      // Where this process itself was busy, the answer may have arrived and only waits to be read.
      setImmediate(() => {
        reject(new NoResponseError(`No answer within ${milliseconds} ms`));
      });
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}
