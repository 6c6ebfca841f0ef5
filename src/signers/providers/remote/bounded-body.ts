/** Answers of key services are below 2 KiB; whatever is much longer is no answer. */
export const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Reads the body of an answer, up to a limit.
 *
 * @throws Error beyond {@link MAX_ANSWER_BYTES}; the rest is not read
 */
export async function readBounded(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop by a throw destroys the stream, and with it the connection.
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
