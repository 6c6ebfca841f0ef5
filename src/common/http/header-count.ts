import type { IncomingMessage } from 'node:http';

/**
 * Counts the headers with a name. Node keeps only the first of some headers, such as `Authorization` and `Host`; the
 * others are only in the raw list.
 *
 * @param name in lower case
 */
export function headerCount({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}
