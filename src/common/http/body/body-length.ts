import type { IncomingMessage } from 'node:http';

/** Size of a request body; more gets 413. @limit Request bodies */
export const MAX_BODY_BYTES = 1024 * 1024;

/**
 * The length of the body according to the headers: 0 if there is no body; undefined for a chunked body, whose length is
 * not known in advance.
 */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const length = headers['content-length'];
  return length === undefined ? 0 : Number(length);
}
