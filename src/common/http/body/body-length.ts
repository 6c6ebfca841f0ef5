import type { IncomingMessage } from 'node:http';

/** Size of a request body; more gets 413. @limit Request bodies */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The length of the body by the headers: 0 for none, undefined for a body in chunks, whose length is known at its end. */
export function announcedLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined;
  const length = headers['content-length'];
  return length === undefined ? 0 : Number(length);
}
